"""What programs send and are told about events: `serializers`, `order_serializers` and, off the engine's own classes,
`terms_fields`."""
