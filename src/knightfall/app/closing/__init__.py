"""How does a day end: waited for, counted until two reads agree, confirmed, flipped?"""
