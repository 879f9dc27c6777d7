"""What is somebody's own: what is kept about them."""
