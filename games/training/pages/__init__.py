"""Pages of rulebooks, rulings and practice."""
