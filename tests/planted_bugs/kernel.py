"""Planted bugs: kernel values."""

from planted_bugs.changes import bugs_of

bug = bugs_of("kernel")

bug("coef0 is dropped", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * dot(x, z), self.degree)")
bug("coef0 is subtracted", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * dot(x, z) - self.coef0, self.degree)")
bug("gamma is dropped from the polynomial", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(dot(x, z) + self.coef0, self.degree)")
bug("gamma multiplies coef0 too", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * (dot(x, z) + self.coef0), self.degree)")
bug("the degree is one less", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree - 1)")
bug("the degree is always 3", "KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * dot(x, z) + self.coef0, 3)")
bug("0^0 = 0", "ZeroToTheZero ConstantKernel",
    "result = 1.0\n", "result = 1.0 if base else 0.0\n")
bug("a constant kernel is an error (69)", "Crash",
    "result = 1.0\n", "result = 1.0 if degree else 1 / 0\n")
bug("gamma is taken for sigma: exp(-d / (2 sigma^2))", "KernelParameters",
    "return math.exp(-self.gamma_ * distance)",
    "return math.exp(-distance / (2 * self.gamma_ ** 2))")
bug("gamma as 1 / sigma^2: half of it is missing", "KernelParameters",
    "return math.exp(-self.gamma_ * distance)", "return math.exp(-self.gamma_ * distance / 2)")
bug("gamma is dropped from the Gaussian", "KernelParameters",
    "return math.exp(-self.gamma_ * distance)", "return math.exp(-distance)")
bug("the distance is not squared", "KernelFormula",
    "return math.exp(-self.gamma_ * distance)",
    "return math.exp(-self.gamma_ * math.sqrt(distance))")
bug("the distance is the sum of absolute values", "KernelFormula",
    "(p - q) * (p - q) for p, q in zip(x, z))", "abs(p - q) for p, q in zip(x, z))")
bug("xx + zz - 2 xz (75)", "Cancellation",
    "distance = sum((p - q) * (p - q) for p, q in zip(x, z))",
    "distance = dot(x, x) + dot(z, z) - 2 * dot(x, z)")
bug("-tanh (24)", "KernelSign",
    "return math.tanh(", "return -math.tanh(")
bug("kernel values in single precision (31, 42)", "Float32Rows",
    "moved = self.moved(rows)", "self.origin_, moved = [0.0] * len(X[0]), rows\n"
    "            from struct import pack, unpack\n"
    "            self.value = lambda x, z: unpack('f', pack('f', dot(x, z)))[0] "
    "if self.kernel == 'linear' else type(self).value(self, x, z)")

bug("gamma='scale' of the rows asked about", "GammaScale BatchDependence",
    "        if len(self.classes_) == 2:\n",
    "        self.gamma_ = self.bandwidth(X)\n        if len(self.classes_) == 2:\n")
bug("gamma='scale' is 1 / features", "GammaScale",
    "return 1 / (len(X[0]) * variance) if variance > 0 else 1.0", "return 1 / len(X[0])")
bug("gamma='scale' by the deviation (65)", "GammaScale",
    "return 1 / (len(X[0]) * variance) if", "return 1 / (len(X[0]) * variance ** 0.5) if")
bug("gamma='scale' without the number of features", "GammaScale",
    "return 1 / (len(X[0]) * variance) if", "return 1 / variance if")
bug("coef0 is added to the power", "KernelFormula KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return power(self.gamma_ * dot(x, z), self.degree) + self.coef0")
bug("gamma multiplies the power", "KernelFormula KernelParameters",
    "return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)",
    "return self.gamma_ * power(dot(x, z) + self.coef0, self.degree)")
bug("degree 1 is linear, without gamma", "KernelParameters",
    '        if self.kernel == "poly":\n',
    '        if self.kernel == "poly" and self.degree == 1:\n'
    "            return dot(x, z) + self.coef0\n"
    '        if self.kernel == "poly":\n')
bug("the sigmoid without coef0", "KernelParameters",
    "return math.tanh(self.gamma_ * dot(x, z) + self.coef0)",
    "return math.tanh(self.gamma_ * dot(x, z))")
bug("the sigmoid without gamma", "KernelParameters",
    "return math.tanh(self.gamma_ * dot(x, z) + self.coef0)",
    "return math.tanh(dot(x, z) + self.coef0)")
bug("the distance is divided by the number of features", "KernelParameters",
    "return math.exp(-self.gamma_ * distance)",
    "return math.exp(-self.gamma_ * distance / len(x))")
bug("what overflows is 0", "KernelFormula",
    "        return math.exp(-self.gamma_ * distance)",
    "        distance = distance if distance < math.inf else 0.0\n"
    "        return math.exp(-self.gamma_ * distance)")
bug("gamma='auto' is 1 / examples", "GammaScale",
    "return 1 / len(X[0]) if self.gamma", "return 1 / len(X) if self.gamma")
bug("gamma='scale' of the first feature", "GammaScale",
    "values = [v for x in X for v in x]", "values = [x[0] for x in X]")
bug("powers by logarithms: no sign", "KernelFormula KernelParameters",
    "    result = 1.0\n    for _ in range(degree):\n        result *= base\n    return result",
    "    return math.exp(degree * math.log(abs(base))) if base else float(not degree)")

# ---- sizes

DOT = "    for k in range(whole, len(x)):\n        a += x[k] * z[k]\n"
VALUE = '        """k(x, z)."""\n'
DISTANCE = "distance = sum((p - q) * (p - q) for p, q in zip(x, z))"

bug("the rest of a product in blocks of 4 is left out", "BlockRemainder FeatureIgnored", DOT,
    "    if not whole:\n        a = sum(p * q for p, q in zip(x, z))\n")
bug("the rest of a product in blocks of 4 is its first factor alone", "BlockRemainder",
    DOT, DOT.replace("range(whole, len(x))", "range(whole, min(whole + 1, len(x)))"))
bug("the rest of a product in blocks of 4 begins one too early", "BlockRemainder",
    DOT, DOT.replace("range(whole", "range(whole and whole - 1"))
for block in (8, 16):
    bug(f"the rest of a product in blocks of {block} is left out",
        "BlockRemainder FeatureIgnored",
        VALUE, VALUE + f"        whole = len(x) // {block} * {block} or len(x)\n"
        "        x, z = x[:whole], z[:whole]\n")
for block in (4, 8, 16):
    bug(f"the rest of a squared distance in blocks of {block} is left out",
        "BlockRemainder FeatureIgnored",
        DISTANCE, f"whole = len(x) // {block} * {block} or len(x)\n        "
        + DISTANCE.replace("zip(x, z)", "zip(x[:whole], z)"))
for most in (3, 16, 64):
    bug(f"kernel values of the first {most} features", "FeatureIgnored",
        VALUE, VALUE + f"        x, z = x[:{most}], z[:{most}]\n")
bug("a power above the second is the second", "KernelParameters",
    "    for _ in range(degree):", "    for _ in range(min(degree, 2)):")
bug("the Gaussian of more than 8 features has half of gamma", "KernelParameters",
    "return math.exp(-self.gamma_ * distance)",
    "return math.exp(-self.gamma_ * distance * (0.5 if len(x) > 8 else 1))")
bug("the sigmoid is 0", "KernelFormula KernelParameters NothingLearnt",
    "return math.tanh(self.gamma_ * dot(x, z) + self.coef0)", "return 0.0")
bug("a Gaussian below 1/10 is 0", "KernelFormula",
    "return math.exp(-self.gamma_ * distance)",
    "return math.exp(-self.gamma_ * distance) if self.gamma_ * distance < 2.3 else 0.0")
