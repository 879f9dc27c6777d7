"""Queries: views, results, replays, reviews, hints, profiles and leaderboards."""
