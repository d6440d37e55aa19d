"""Pictures: facts of a count or of a board become a scene, and that SVG or PNG; or text for a post."""
