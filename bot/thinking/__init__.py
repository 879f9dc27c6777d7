"""Thinking in processes of its own: what computer players place, and whatever else asks them."""
