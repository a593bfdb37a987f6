// Equations modulo a prime, S6.5: products of two numbers below it are whole doubles, so this is quick.

export const PRIME = 67108859; // below 2^26

const BIG = BigInt(PRIME);

const remainder = (n) => {
  const rest = Number(n % BIG);
  return rest < 0 ? rest + PRIME : rest;
};

function powerOf(b, n) {
  let [result, base, left] = [1, b, n];
  while (left) {
    if (left % 2) result = (result * base) % PRIME;
    base = (base * base) % PRIME;
    left = Math.floor(left / 2);
  }
  return result;
}

const inverse = (v) => powerOf(v, PRIME - 2);

const HALF = inverse(2);

// Of a fraction, an Exact
export function residue({ n, e, d }) {
  const twos = powerOf(e < 0 ? HALF : 2, Math.abs(e));
  const whole = (remainder(n) * twos) % PRIME;
  return d === 1n ? whole : (whole * inverse(remainder(d))) % PRIME;
}

function subtract(row, by, other, from) {
  for (let k = from; k < row.length; k++) row[k] = (row[k] + PRIME - ((by * other[k]) % PRIME)) % PRIME;
}

// Whether A x = c has a solution, rows of fractions: a no is as good as sure
export function hasSolution(A, c) {
  const rows = A.map((row, s) => [...row, c[s]].map(residue));
  const n = A[0].length;
  let r = 0;
  for (let column = 0; column < n && r < rows.length; column++) {
    const at = rows.findIndex((row, s) => s >= r && row[column] !== 0);
    if (at < 0) continue;
    [rows[r], rows[at]] = [rows[at], rows[r]];
    const by = inverse(rows[r][column]);
    for (let s = r + 1; s < rows.length; s++) {
      if (rows[s][column]) subtract(rows[s], (rows[s][column] * by) % PRIME, rows[r], column);
    }
    r += 1;
  }
  return rows.slice(r).every((row) => row[n] === 0);
}

// The inverse of a matrix of residues, or null
export function inverseOf(M) {
  const k = M.length;
  const rows = M.map((row, s) => [...row, ...row.map((_, c) => +(s === c))]);
  for (let c = 0; c < k; c++) {
    const at = rows.findIndex((row, s) => s >= c && row[c] !== 0);
    if (at < 0) return null;
    [rows[c], rows[at]] = [rows[at], rows[c]];
    const by = inverse(rows[c][c]);
    rows[c] = rows[c].map((v) => (v * by) % PRIME);
    for (let s = 0; s < k; s++) if (s !== c && rows[s][c]) subtract(rows[s], rows[s][c], rows[c], c);
  }
  return rows.map((row) => row.slice(k));
}

export function dotModulo(a, b) {
  let total = 0;
  for (let k = 0; k < a.length; k++) total = (total + a[k] * b[k]) % PRIME;
  return total;
}
