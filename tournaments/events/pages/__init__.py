"""Pages and REST resources of what events are, and what they belong to."""
