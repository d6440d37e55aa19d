"""Services: one module a subject, whose public functions return typed, frozen answers and print nothing.

Each answer has `to_dict()`, which gives the published JSON values without their schema number.
"""
