"""The commands of ``python -m bot`` that need no Discord, a module for each family.

Each command is a function from its arguments to an exit code: 0 done, 1 what was looked at is wrong, 2 it
could not be done (one sentence on stderr says why).
"""
