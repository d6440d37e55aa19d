"""How does the game of a folder become an archive: what of it may be in there, and where is it written?"""
