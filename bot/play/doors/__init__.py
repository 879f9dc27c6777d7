"""The doors: every use case as one awaitable call, and what runs transactions."""
