"""Creation of the computer players' data: hands of self-play, and values fitted to them."""
