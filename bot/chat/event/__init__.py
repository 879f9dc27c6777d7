"""Events on Discord: screens, posts and organisers' actions."""
