"""The archive of a game: a folder of pages that anybody can read without a server, for ever.

Pure: a `Book` in, the text of each file out. Posts come as nodes, never as HTML, and pass through
`html.inert`; all that templates are given is escaped. The pages load nothing but their own files.
"""
