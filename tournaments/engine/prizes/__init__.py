"""What is won at an event: prizes, bounties and deals, to the last unit."""
