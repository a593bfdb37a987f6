"""What is compiled of refsvm.online beside the public names: of lms."""
