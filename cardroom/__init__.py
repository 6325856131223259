"""The house: people, money, clocks and everything both games and tournaments stand on."""
