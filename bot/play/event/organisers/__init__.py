"""What an event's organisers can do, and what they see."""
