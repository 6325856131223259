"""What is read about tables: the tables themselves, hands, seats, offers and history."""
