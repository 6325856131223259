"""What runs around the code: the message broker, heartbeats, logs, and the log of faults."""
