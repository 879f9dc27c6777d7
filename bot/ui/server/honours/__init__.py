"""What people are proud of: the shelf of somebody's badges, and the records of a server."""
