"""How is a game played in its folder, message by message, and how does its board look?"""
