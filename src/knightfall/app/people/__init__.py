"""What becomes of people in a running game: who replaces whom, leaves, comes back, is away or is prodded?"""
