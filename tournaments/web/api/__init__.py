"""REST resources of tournaments: a few lines each that call a service, or tell what a selector found.

What is the same for many stands once: `orders` makes a resource of a director's verb, `looking` finds the event asked
for, `serializers` and `order_serializers` are the shapes, `terms_fields` and `fact_schema` the engine's own as OpenAPI.
"""
