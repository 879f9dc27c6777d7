"""Screens of community events, and the form that makes one."""
