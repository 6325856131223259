"""That history which was changed shows: seals over what the room wrote down, chained, with heads outside the database.

`sealing` makes a seal once a minute over all that is new in guarded tables; `checking` reads everything again and says
from where on it differs; `exporting` writes it down for somebody outside, who checks it with `verifier`, a file that
needs nothing of the room; `heads` takes the last seal where the room cannot change it.
"""
