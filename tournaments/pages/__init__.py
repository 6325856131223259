"""Pages and REST resources of tournaments."""
