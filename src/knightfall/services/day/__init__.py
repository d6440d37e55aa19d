"""A day: opened, extended and stopped; its votes as they stand; its end and its closing."""
