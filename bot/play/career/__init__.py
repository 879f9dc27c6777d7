"""Careers: what the hands of players came to beside standings and ratings, whom they met, and their badges."""
