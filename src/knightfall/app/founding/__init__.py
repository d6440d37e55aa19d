"""How does a game's folder come about, and does its game file still say what the game began with?"""
