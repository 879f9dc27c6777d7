"""A server's bank: refills, bonuses, transfers between players, and managers' actions."""
