"""How are the votes of a thread counted, told, explained and drawn?"""
