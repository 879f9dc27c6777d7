"""Screens of hands that are over: looking back, and trying again."""
