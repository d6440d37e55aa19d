"""Which version this is: told by `--version`, and noted in the journal of each game that it begins."""

VERSION = "0.2.0"
