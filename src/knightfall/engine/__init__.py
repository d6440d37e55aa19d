"""What every game stands on: its protocol, commands, journal, draws and prods."""
