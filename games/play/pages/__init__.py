"""Pages of a table, of its hands, and of sealed cards."""
