"""How is the moderator's journal looked after: as of when, is it intact, how does it leave and come back?"""
