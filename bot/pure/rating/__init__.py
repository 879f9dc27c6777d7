"""Ratings, which estimate a player's points per hand. Pure."""
