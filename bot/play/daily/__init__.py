"""The daily hand and the weekly one: the same deck for everybody, one try each, for points alone."""
