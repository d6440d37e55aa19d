"""Which PMs does a moderator owe, one by one in an order that tells nothing, and how far has each come?"""
