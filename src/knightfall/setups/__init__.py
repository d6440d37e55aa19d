"""What did the moderator decide about a game, in writing?"""
