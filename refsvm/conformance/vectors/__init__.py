"""The cases and runs as files that any language can read."""
