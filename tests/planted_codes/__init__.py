"""Small codes that bugs are planted into: a right SVM, and others as people write them."""
