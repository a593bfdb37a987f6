"""Ground truth for support vector machines, and what asks a program whether it agrees."""
