"""Online events run by themselves: tables filled, balanced, broken and dealt; bots; suggestions."""
