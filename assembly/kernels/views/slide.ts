// slide_rank: the sample of a rank in windows of one or two bytes per sample, by a histogram that slides along a line.
//
//   the histogram has all samples of the window of data[0]; `found`: a value; `less`: samples of the window below it
//   for i < n:
//     while less > rank:                          found −= 1, less −= histogram[found]
//     while less + histogram[found] ≤ rank:       less += histogram[found], found += 1
//     out[i] = found
//     samples that leave the window of data[i] go, those that enter the window of data[i + 1] come
//
// A second, coarse histogram of blocks of values skips values that are rare. Both are all zeros before and afterwards: the
// samples of the last window are taken out one by one. Signed samples are counted above their least one (Huang, 1979).

// @ts-ignore: decorator
@inline export function slideRank<T>(
  out: usize, data: usize, n: i32, offsets: usize, count: i32, leaving: usize, entering: usize, edges: i32, rank: i32,
  histogram: usize,
): void {
  const bits = 8 * sizeof<T>(), coarse = histogram + (2 << bits), shift = <u32>bits >> 1, size: u32 = 1 << shift;
  if (n <= 0) return;
  for (let k = 0; k < count; k++) change<T>(histogram, coarse, index<T>(data + load<u32>(offsets + (<usize>k << 2))), 1);
  const end = leaving + (<usize>edges << 2), across = entering - leaving;
  let found: u32 = 0, less = 0;
  for (let i = 1; ; i++, data += sizeof<T>(), out += sizeof<T>()) {
    while (less > rank) { // down
      if ((found & (size - 1)) == 0) {
        const block = at(coarse, (found >> shift) - 1);
        if (less - block > rank) {
          found -= size, less -= block;
          continue;
        }
      }
      less -= at(histogram, --found);
    }
    for (;;) { // up
      if ((found & (size - 1)) == 0) {
        const block = at(coarse, found >> shift);
        if (less + block <= rank) {
          found += size, less += block;
          continue;
        }
      }
      const here = at(histogram, found);
      if (less + here > rank) break;
      less += here, found++;
    }
    store<T>(out, valueOf<T>(found));
    if (i == n) break;
    for (let e = leaving; e < end; e += 4) {
      const old = index<T>(data + load<u32>(e)), young = index<T>(data + sizeof<T>() + load<u32>(e + across));
      change<T>(histogram, coarse, old, -1);
      change<T>(histogram, coarse, young, 1);
      less += <i32>(young < found) - <i32>(old < found);
    }
  }
  for (let k = 0; k < count; k++) change<T>(histogram, coarse, index<T>(data + load<u32>(offsets + (<usize>k << 2))), -1);
}

/** The count of a value, or of a block. */
// @ts-ignore: decorator
@inline function at(histogram: usize, value: u32): i32 {
  return load<u16>(histogram + (<usize>value << 1));
}

// @ts-ignore: decorator
@inline function change<T>(histogram: usize, coarse: usize, value: u32, by: i32): void {
  const one = histogram + (<usize>value << 1), block = coarse + (<usize>(value >> <u32>(4 * sizeof<T>())) << 1);
  store<u16>(one, <u16>(<i32>load<u16>(one) + by));
  store<u16>(block, <u16>(<i32>load<u16>(block) + by));
}

/** The sample at `p`, counted from the least one of its type. */
// @ts-ignore: decorator
@inline function index<T>(p: usize): u32 {
  return isSigned<T>() ? <u32>(<i32>load<T>(p) + (1 << <i32>(8 * sizeof<T>() - 1))) : <u32>load<T>(p);
}

/** The sample with this index. */
// @ts-ignore: decorator
@inline function valueOf<T>(index: u32): T {
  return isSigned<T>() ? <T>(<i32>index - (1 << <i32>(8 * sizeof<T>() - 1))) : <T>index;
}
