"""What every REST resource of the room is made of.

`access` says who is asking and what they may; `formats`, `fields`, `keys` and `routes` read what was sent; `shapes`
draws answers; `schema` describes all of it as OpenAPI. Refusals become problem+json in `cardroom.core.web.problems`.
"""
