"""How does a thread get into the evidence, and what is to be seen of it there?"""
