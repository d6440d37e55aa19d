"""The posts of a game: the facts they tell, the words of each kind, and which of them an entry owes."""
