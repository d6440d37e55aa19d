"""What mafia games share: the base game, roles, positions, orders, the abilities of the night, views."""
