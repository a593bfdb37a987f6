"""Pictures of a machine and of its training, as SVG."""
