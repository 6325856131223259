"""Pages and REST resources of what is won, and tickets."""
