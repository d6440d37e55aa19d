"""Which messages wait for the game, in private threads, PMs and forms, and what becomes of each?"""
