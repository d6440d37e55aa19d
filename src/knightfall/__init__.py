"""Knightfall: the assistant of people who moderate text-post games on forums."""
