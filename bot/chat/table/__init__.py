"""Screens and posts of tables and hands on Discord."""
