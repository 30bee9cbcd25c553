// What the figures of answers are made of.

/** The chance that one of `positives` is above one of `negatives`: the area under the ROC curve. */
export function areaUnderCurve(positives, negatives) {
  let sum = 0;
  for (const positive of positives) {
    for (const negative of negatives) sum += positive > negative ? 1 : positive === negative ? 0.5 : 0;
  }
  return sum / (positives.length * negatives.length);
}

/** The middle 95 % of the area over samples drawn with replacement, each group from itself. */
export function bootstrapInterval(positives, negatives, samples = 2000) {
  const random = randomNumbers(1);
  const draw = (values) => values.map(() => values[Math.floor(random() * values.length)]);
  const areas = Array.from({ length: samples }, () => areaUnderCurve(draw(positives), draw(negatives)));
  areas.sort((a, b) => a - b);
  return [areas[Math.floor(samples * 0.025)], areas[Math.floor(samples * 0.975)]];
}

/**
 * Logistic regression by gradient descent: an intercept and a weight for each column of `rows`.
 *
 * Each column is brought to mean 0 and deviation 1, so that `penalty`, on the squares of the weights as in
 * ridge regression, means the same for each; the result is for the values as they were.
 */
export function logisticRegression(rows, labels, { penalty = 2, steps = 20_000, rate = 0.05 } = {}) {
  const columns = rows[0].map((_, column) => rows.map((row) => row[column]));
  const means = columns.map(mean);
  const deviations = columns.map((values, i) => Math.sqrt(mean(values.map((value) => (value - means[i]) ** 2))));
  const scaled = rows.map((row) => [1, ...row.map((value, i) => (value - means[i]) / deviations[i])]);
  const weights = scaled[0].map(() => 0);
  for (let step = 0; step < steps; step += 1) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : penalty * weight));
    for (const [i, row] of scaled.entries()) {
      const sum = row.reduce((total, value, j) => total + value * weights[j], 0);
      const error = 1 / (1 + Math.exp(-sum)) - labels[i];
      for (const [j, value] of row.entries()) gradient[j] += error * value;
    }
    for (const i of weights.keys()) weights[i] -= (rate / Math.sqrt(rows.length)) * gradient[i];
  }
  const slopes = weights.slice(1).map((weight, i) => weight / deviations[i]);
  const shift = slopes.reduce((sum, slope, i) => sum + slope * means[i], 0);
  return { intercept: weights[0] - shift, slopes };
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Mulberry32, so that a run gives the same interval each time. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
