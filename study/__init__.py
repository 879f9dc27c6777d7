"""Making the data that the computer players play by: hands played against themselves, and values fitted to them."""
