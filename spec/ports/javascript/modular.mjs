// Whether equations of fractions have a solution, asked modulo a prime first: a no is quick, and as good as sure.

const PRIME = (1n << 61n) - 1n;

const positive = (v) => ((v % PRIME) + PRIME) % PRIME;

function powerOf(b, n) {
  let [result, base, left] = [1n, positive(b), n];
  while (left) {
    if (left & 1n) result = (result * base) % PRIME;
    base = (base * base) % PRIME;
    left >>= 1n;
  }
  return result;
}

const inverse = (v) => powerOf(v, PRIME - 2n);

function residue({ n, e, d }) {
  const twos = e >= 0 ? powerOf(2n, BigInt(e)) : inverse(powerOf(2n, BigInt(-e)));
  const over = d === 1n ? 1n : inverse(d);
  return (((positive(n) * twos) % PRIME) * over) % PRIME;
}

// A x = c
export function hasSolution(A, c) {
  const rows = A.map((row, s) => [...row.map(residue), residue(c[s])]);
  const n = A[0].length;
  let r = 0;
  for (let column = 0; column < n && r < rows.length; column++) {
    const at = rows.findIndex((row, s) => s >= r && row[column] !== 0n);
    if (at < 0) continue;
    [rows[r], rows[at]] = [rows[at], rows[r]];
    const by = inverse(rows[r][column]);
    for (let s = r + 1; s < rows.length; s++) {
      if (rows[s][column] === 0n) continue;
      const factor = (rows[s][column] * by) % PRIME;
      for (let k = column; k <= n; k++) rows[s][k] = positive(rows[s][k] - factor * rows[r][k]);
    }
    r += 1;
  }
  return rows.slice(r).every((row) => row[n] === 0n);
}
