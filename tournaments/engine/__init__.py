"""The pure half of tournaments: imports nothing but itself and the standard library's data tools."""
