"""What is compiled of refsvm.solvers beside the public names: decomposition."""
