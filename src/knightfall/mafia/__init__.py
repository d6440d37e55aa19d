"""What do mafia games share? Roles, the verbs of the night, the count of sides: a library to call."""
