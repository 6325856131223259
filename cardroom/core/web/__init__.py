"""How a verb of a service becomes a REST resource and a form on a page."""
