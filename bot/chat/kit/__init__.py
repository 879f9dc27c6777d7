"""What all features on Discord share: the gate, answers, widgets, custom ids, choices, permissions, posting."""
