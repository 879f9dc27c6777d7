"""Code shared by all features on Discord: the gate, replies, widgets, custom ids, choices, permissions, posting."""
