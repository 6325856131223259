"""Pages and REST resources of those who run an event, and of its desk."""
