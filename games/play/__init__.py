"""Cash tables and hands: opened, seated, dealt, acted in and settled."""
