"""What is compiled of refsvm.numerics: picks. Other modules are the oracle's."""
