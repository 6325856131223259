"""What each command comes to. A rule looks at the event, refuses or emits facts, and calls no rule above it."""
