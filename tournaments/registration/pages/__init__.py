"""Pages and REST resources of an event for everybody: the list, the flyer, who is in it."""
