"""What does a day look like? Facts of a count → a scene → SVG or PNG; or text for a post."""
