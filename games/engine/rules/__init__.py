"""The rules of a hand, by what they rule on. Each takes the hand in play and writes facts down; the hand calls them."""
