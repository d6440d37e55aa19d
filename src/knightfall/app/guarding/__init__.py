"""What must not be told yet, and what stops it on its way out?"""
