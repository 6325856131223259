"""What can be done at the tables. Each verb is keyword-only, one transaction, and takes the moment it happens at.

`locking` and `clocks` know one table's row; `stacks` moves chips between wallets and seats; `playing`, `settling` and
`dealing` carry a hand along; `hands`, `seats` and `tables` are the doors that edges use; `house_bots` seats and moves
the bots.
"""
