"""The body of a post as a small tree, read from any site's HTML and written in any site's dialect."""
