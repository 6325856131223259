"""The ledger: accounts, transfers, what was counted, and the limits that players set themselves."""
