"""How each fact changes the state of an event: a module a subject."""
