// Where a function on the plane is positive, and where it is 0, as paths. A line needs the plane as
// one piece; a curve is straight within each of many small triangles.

const FINE = [32, 24];  // cells of the grid for a curve

/** Return pieces of the plane: polygons whose corners are [u, v, score]. */
export function piecesOf([left, right, bottom, top], isLine, score) {
  const [columns, rows] = isLine ? [1, 1] : FINE;
  const corner = (i, j) => {
    const place = [left + (right - left) * i / columns, bottom + (top - bottom) * j / rows];
    return [...place, score(place)];
  };
  const grid = Array.from({ length: rows + 1 }, (_, j) => Array.from({ length: columns + 1 }, (_, i) => corner(i, j)));
  const pieces = [];
  for (let j = 0; j < rows; j += 1) {
    for (let i = 0; i < columns; i += 1) {
      const [a, b, c, d] = [grid[j][i], grid[j][i + 1], grid[j + 1][i + 1], grid[j + 1][i]];
      pieces.push(...(isLine ? [[a, b, c, d]] : [[a, b, c], [a, c, d]]));
    }
  }
  return pieces;
}

/** Return the path of where sign (score + b) >= 0 for each [sign, b]. */
export function areas(pieces, bounds) {
  const cut = pieces.map((piece) => bounds.reduce((left, [sign, b]) => part(left, sign, b), piece));
  return cut.filter((piece) => piece.length > 2).map((piece) => `M${piece.map(written).join("L")}z`).join("");
}

/** Return the part of a polygon where sign (score + b) >= 0. */
function part(polygon, sign, b) {
  return polygon.flatMap((here, k) => {
    const next = polygon[(k + 1) % polygon.length], at = sign * (here[2] + b), then = sign * (next[2] + b);
    return [...(at >= 0 ? [here] : []), ...(at * then < 0 ? [between(here, next, b)] : [])];
  });
}

/** Return the place between two corners at which score + b is 0. */
function between(here, next, b) {
  const t = (here[2] + b) / (here[2] - next[2]);
  return [here[0] + t * (next[0] - here[0]), here[1] + t * (next[1] - here[1]), -b];
}

/** Return the path of where score + b is 0: segments that meet are joined, so that dashes go on. */
export function joined(pieces, b) {
  const ends = new Map();
  for (const piece of pieces) {
    const crossed = piece.flatMap((here, k) => {
      const next = piece[(k + 1) % piece.length];
      return (here[2] + b >= 0) !== (next[2] + b >= 0) ? [between(here, next, b)] : [];
    });
    if (crossed.length !== 2) continue;
    const [a, c] = crossed.map(written);
    if (a === c) continue;
    for (const [from, to] of [[a, c], [c, a]]) ends.set(from, [...(ends.get(from) ?? []), to]);
  }
  const open = [...ends.keys()].filter((key) => ends.get(key).length === 1);
  return [...open, ...ends.keys()].map((key) => walked(ends, key)).join("");
}

/** Return the line that begins at an end, "" where it was walked before. */
function walked(ends, begin) {
  const way = [];
  for (let here = begin, next; here !== undefined; here = next) {
    next = ends.get(here)?.[0];
    way.push(here);
    if (next === undefined) break;
    ends.set(here, ends.get(here).filter((to) => to !== next));
    ends.set(next, ends.get(next).filter((to) => to !== here));
  }
  return way.length > 1 ? `M${way.join("L")}` : "";
}

function written([u, v]) {
  return `${Number(u.toFixed(5))} ${Number(v.toFixed(5))}`;
}
