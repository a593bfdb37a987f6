// S8.5: the offset that costs least at a given w. Of residuals r, each of which costs C for a unit below it (label +1)
// or above it (-1).

// [low, high] of the cheapest
export function cheapest(r, C, y) {
  const order = [...r.keys()].sort((a, b) => r[a] - r[b]);
  let slope = 0;
  for (let i = 0; i < r.length; i++) if (y[i] > 0) slope -= C[i];
  for (let place = 0; place < order.length; place++) {
    slope += C[order[place]];
    if (slope > 0) return [r[order[place]], r[order[place]]];
    if (slope === 0) return [r[order[place]], r[order[place + 1]] ?? r[order[place]]];
  }
  return [r[order[order.length - 1]], r[order[order.length - 1]]];
}

// Of squared slack: where the slope, a chain of straight pieces with a corner at every v, is 0
export function cheapestSquared(v, C, y) {
  const order = [...v.keys()].sort((a, b) => v[a] - v[b]);
  const middleOf = (b) => {
    let [weight, sum] = [0, 0];
    for (let i = 0; i < v.length; i++) {
      if (y[i] * (v[i] - b) > 0) [weight, sum] = [weight + C[i], sum + C[i] * v[i]];
    }
    return [weight, sum];
  };
  const slope = (b) => {
    const [weight, sum] = middleOf(b);
    return weight * b - sum;
  };
  let first = 0;
  while (first < order.length && slope(v[order[first]]) < 0) first += 1;
  if (first === order.length) return v[order[first - 1]];
  if (slope(v[order[first]]) === 0 || first === 0) return v[order[first]];
  const between = v[order[first - 1]] / 2 + v[order[first]] / 2;
  const [weight, sum] = middleOf(between);
  return sum / weight;
}
