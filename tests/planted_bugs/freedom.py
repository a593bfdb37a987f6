"""What programs are free to do: other answers, none of them wrong."""

from planted_bugs.changes import free

free("the pair rule of the second order: j gives the largest gain",
     "        i, j = pair(alpha, r, y, C, active)\n",
     "        i, j = pair(alpha, r, y, C, active)\n"
     "        low = [k for k in active if r[k] < r[i] and may_fall(alpha[k], y[k], C[k])]\n"
     "        own, row = own if step else [K[k][k] for k in range(n)], K[i]\n"
     "        gain = lambda k: (r[i] - r[k]) ** 2 / max(row[i] + own[k] - 2 * row[k], 1e-12)\n"
     "        j = max(low, key=gain) if r[i] - r[j] > tol else j\n")
free("the last of equals, not the first",
     "return max(up, key=lambda i: r[i]), min(low, key=lambda i: r[i])",
     "return max(up[::-1], key=lambda i: r[i]), min(low[::-1], key=lambda i: r[i])")
free("b at the lower end of its interval",
     "return (low + high) / 2", "return low")
free("b at the upper end of its interval",
     "return (low + high) / 2", "return high")
free("b a third of the way",
     "return (low + high) / 2", "return (2 * low + high) / 3")
free("b from one free example, not from the mean",
     "return sum(free) / len(free)", "return free[0]")
free("b is the middle, free examples or not",
     "    if free:\n        return sum(free) / len(free)\n", "")
free("an example almost at a bound is not free",
     "if 0 < a < c]", "if 1e-6 * c < a < c * (1 - 1e-6)]")
free("other multipliers: steps a tenth shorter, so that others do the rest",
     "return min(best, room)", "return min(0.9 * best if best > 1e-9 else best, room)")
free("other multipliers: the examples are taken from the end",
     "kept = [i for i, c in enumerate(C) if c > 0]",
     "kept = [i for i, c in enumerate(C) if c > 0][::-1]")
free("a tolerance a hundred times tighter",
     "smo(K, y, C, self.tol, steps)", "smo(K, y, C, self.tol / 100, steps)")
free("the Gram matrix from products of another order",
     "K = KernelRows(self.value, moved)",
     "K = KernelRows(lambda x, z: self.value(x[::-1], z[::-1]), moved)")
free("moved by the last row, not by the first",
     "self.origin_ = rows[0] if", "self.origin_ = rows[-1] if")
free("a decision of exactly 0 goes to the first class",
     "second if f >= 0 else first", "second if f > 0 else first")
free("support vectors are listed from the last to the first",
     "chosen = [k for k, v in enumerate(beta) if v != 0]",
     "chosen = [k for k, v in enumerate(beta) if v != 0][::-1]")
free("rows are shuffled in fit, and what is left is in the order given",
     "kept = [i for i, c in enumerate(C) if c > 0]",
     "kept = sorted((i for i, c in enumerate(C) if c > 0), key=lambda i: (i * 7919) % 101)")
free("multipliers by another way: the active set",
     "alpha, r, self.n_iter_, done = smo(K, y, C, self.tol, steps)",
     "from refsvm import Precomputed, Problem, active_set\n"
     "        alpha = active_set(Problem(list(K), y, Precomputed(), C), tol=1e-12).alpha\n"
     "        r, self.n_iter_ = residuals(K, alpha, y), 1\n"
     "        done = self.max_iter < 0")
free("multipliers a little inside their bounds, as interior points leave them",
     "        b = offset(alpha, r, y, C)\n",
     "        b = offset(alpha, r, y, C)\n        tiny = 1e-14 * max(alpha)\n"
     "        alpha = balance([min(max(a, tiny), c - tiny) for a, c in zip(alpha, C)], y, C)\n")
free("all examples stay active: no shrinking",
     "        if step % 8 == 7:\n"
     "            active = shrunk(alpha, r, y, C, active)\n", "")
free("shrinking after every step",
     "        if step % 8 == 7:\n", "        if not fresh:\n")
free("a cache of two rows", "MOST_ROWS = 24", "MOST_ROWS = 2")
free("a cache of all the rows", "MOST_ROWS = 24", "MOST_ROWS = 10_000")
free("sums from the last to the first",
     "    for k in range(whole, len(x)):\n        a += x[k] * z[k]\n",
     "    x, z = x[::-1], z[::-1]\n    whole, a, b, c, d = 0, 0.0, 0.0, 0.0, 0.0\n"
     "    for k in range(whole, len(x)):\n        a += x[k] * z[k]\n")
free("sums without rounding, as if by fused operations",
     "    for k in range(whole, len(x)):\n        a += x[k] * z[k]\n"
     "    return (a + b) + (c + d)",
     "    from fractions import Fraction\n"
     "    exact = sum(Fraction(p) * Fraction(q) for p, q in zip(x, z))\n"
     "    return float(exact) if abs(exact) < 2**1023 else math.inf")
free("rows are decided one at a time", "BLOCK = 16", "BLOCK = 1")
free("rows are decided by as many threads",
     "            found += [self.decide(x) for x in X[start : start + BLOCK]]\n",
     "            from concurrent.futures import ThreadPoolExecutor\n"
     "            with ThreadPoolExecutor(4) as pool:\n"
     "                found += pool.map(self.decide, X[start : start + BLOCK])\n")
free("a tie of votes goes to the last class",
     "    return count.index(max(count))",
     "    return max(range(classes), key=lambda k: (count[k], k))")
free("labels that are no whole numbers are refused",
     "        if any(label != label for label in y):\n",
     "        if any(isinstance(label, float) and label % 1 for label in y):\n")
free("a kernel of degree 0 is refused",
     '        if self.kernel == "precomputed":\n            if any',
     '        if self.kernel == "poly" and self.degree == 0:\n'
     '            raise ValueError("the degree must be 1 or more")\n'
     '        if self.kernel == "precomputed":\n            if any')
free("the positive class is solved first",
     "kept = [i for i, c in enumerate(C) if c > 0]",
     "kept = sorted((i for i, c in enumerate(C) if c > 0),\n"
     "                      key=lambda i: y[i], reverse=True)")
