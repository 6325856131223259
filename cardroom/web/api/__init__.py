"""What every REST resource of the room is made of, and the resources of the house: the account and its tokens.

`urls` lists the resources; `auth` and `access` say who is asking and what they may; `body`, `fields`, `keys` and
`paging` read what was sent; `schema` describes all of it as OpenAPI. Refusals become problem+json in
`cardroom.web.problems`.
"""
