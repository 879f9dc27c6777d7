"""Ratings: how many points a hand somebody is worth, as far as their hands tell. Pure."""
