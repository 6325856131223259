"""The cage: drawers, slips, the vault, credit lines, and the requests players make of the cashiers."""
