// Columns become rows. Sixteen rows at a time: their lines stay in the cache, and what is written is a line or less.

// @ts-ignore: decorator
@inline export function transpose<T>(dst: usize, dstStride: usize, src: usize, srcStride: usize, rows: i32, columns: i32): void {
  for (let row = 0; row < rows; row += 16) {
    const few = <usize>min(16, rows - row) * sizeof<T>();
    let from = src + <usize>row * srcStride, to = dst + <usize>row * sizeof<T>();
    for (let column = 0; column < columns; column++, from += sizeof<T>(), to += dstStride) {
      let p = from;
      for (let at: usize = 0; at < few; at += sizeof<T>(), p += srcStride) store<T>(to + at, load<T>(p));
    }
  }
}
