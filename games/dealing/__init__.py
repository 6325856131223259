"""A dealer at a table in the room enters what happens, and takes it back."""
