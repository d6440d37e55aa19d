"""What the verbs of a running game do: plain arguments in, typed answers out. Nothing here prints."""
