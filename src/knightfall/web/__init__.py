"""The moderator's page: a whole game in the browser, on this machine alone.

A face like the command line: each page calls one service, shows its answer and offers what can be done next.
"""
