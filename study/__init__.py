"""Creation of the computer players' data: self-play hands, and values fitted to them."""
