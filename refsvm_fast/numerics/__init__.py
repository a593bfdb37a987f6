"""What is compiled of refsvm.numerics: picks, elementary. Other modules are the oracle's."""
