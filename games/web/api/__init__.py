"""REST resources of tables, hands and rulebooks. What of a hand leaves here comes redacted out of `games.selectors`."""
