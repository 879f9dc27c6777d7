"""The table's web page: its messages, views and server. Other packages decide which data a reader may see."""
