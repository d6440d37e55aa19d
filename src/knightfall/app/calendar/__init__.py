"""When does a phase of the game begin and end, in the moderator's zone, and how does everybody learn it?"""
