"""What does a night come to, why, and what if it had been otherwise?"""
