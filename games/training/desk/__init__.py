"""The ruling desk: questions about a hand, answered by the engine."""
