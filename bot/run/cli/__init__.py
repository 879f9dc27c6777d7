"""The commands of ``python -m bot`` that don't need Discord, one module per group.

Each command is a function from its arguments to an exit code: 0 for success, 1 if the checked data is wrong, and 2 if
the command couldn't run, with one sentence on stderr.
"""
