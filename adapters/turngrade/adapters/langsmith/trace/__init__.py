"""The runs of a trace, and what assistants said in them."""
