"""What do mafia games share? Roles, position, orders, the verbs of the night, posts: a library to call."""
