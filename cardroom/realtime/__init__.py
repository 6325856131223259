"""WebSockets: who is connected, the messages, and the topics that pages follow."""
