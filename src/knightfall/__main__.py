"""`python -m knightfall`: the command line, where its script is not on the PATH."""

from knightfall.cli import main

if __name__ == "__main__":
    main()
