// count_values, count_bins: how many samples there are of each value, or in each bin.

// @ts-ignore: decorator
@inline export function countValues<T>(counts: usize, bins: i32, least: f64, data: usize, n: i32): void {
  const first = <i64>least;
  for (let i = 0; i < n; i++) {
    const bin = <i64>load<T>(data + <usize>i * sizeof<T>()) - first;
    if (<u64>bin < <u64>bins) count(counts, <i32>bin);
  }
}

/** The quotient says which bin, but for rounding; edges decide. NaN is in none. */
// @ts-ignore: decorator
@inline export function countBins<T>(counts: usize, bins: i32, edges: usize, data: usize, n: i32): void {
  const first = load<f64>(edges), last = load<f64>(edges + (<usize>bins << 3));
  const perBin = <f64>bins / (last - first);
  for (let i = 0; i < n; i++) {
    const value = <f64>load<T>(data + <usize>i * sizeof<T>());
    if (!(value >= first && value <= last)) continue;
    const place = (value - first) * perBin;
    let bin = place < <f64>bins ? min(bins - 1, <i32>place) : bins - 1; // NaN, of infinite widths, is no place
    const edge = edges + (<usize>bin << 3);
    if (value < load<f64>(edge)) bin--;
    else if (bin < bins - 1 && value >= load<f64>(edge, 8)) bin++;
    count(counts, bin);
  }
}

// @ts-ignore: decorator
@inline function count(counts: usize, bin: i32): void {
  const at = counts + (<usize>bin << 2);
  store<u32>(at, load<u32>(at) + 1);
}
