"""The table's web page: its messages, views and server. Other packages decide what a reader may see."""
