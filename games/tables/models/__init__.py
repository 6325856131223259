"""The rows of tables, hands, offers, lists and times."""
