"""What all tests share."""

from hypothesis import settings

# A deadline is a timed assertion: on a busy machine it fails for nothing.
settings.register_profile("chaipo", deadline=None)
settings.load_profile("chaipo")
