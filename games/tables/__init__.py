"""Tables, seats, stacks, games on offer, and the journal of hands: what play and the floor build on."""
