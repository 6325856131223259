"""The pages of the cage, and their forms."""
