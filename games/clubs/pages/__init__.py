"""The pages of clubs and leaderboards, and their resources."""
