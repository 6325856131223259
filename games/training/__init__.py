"""The rulebooks to read, the ruling desk, and practice for dealers and the floor."""
