"""The problem, its optimality conditions, the offset, and the model that training leaves."""
