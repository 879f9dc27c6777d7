"""Use cases as awaitable calls, and the code that runs their transactions."""
