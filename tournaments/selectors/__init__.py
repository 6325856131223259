"""What can be asked about events; nothing here writes."""
