"""What is compiled of refsvm.kernels: strings. Other modules are the oracle's."""
