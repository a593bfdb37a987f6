"""Kernels and their algebra, Gram matrices, feature maps, and the space of functions."""
