// Fourier transforms in two dimensions: rows, then columns, or the other way around.
//
// Rows come in stacks, one a lane (fft_stages.ts): stacks of 4 (or 2) complex rows, or of as many pairs of real rows,
// a pair (a, b) being the complex row a + i b. Between rows and columns lie `groups`: 4 (or 2) neighbouring columns,
// one a lane, each group without gaps, so that the transforms of columns run in place, in the first cache.
//
//   rows:    load and turn a stack (lanes are rows), transform, turn back (lanes are columns), store into the groups
//   columns: transform a group, store its rows

import { ELEMENT, tableBytes, transform } from "./fft_stages";

// @ts-ignore: decorator
@inline function lanes<T>(): i32 {
  return <i32>(16 / sizeof<T>());
}

/** Vector i of the turned square of v0 … v3 (or v0, v1): lane i of each. */
// @ts-ignore: decorator
@inline function turned<T>(i: i32, v0: v128, v1: v128, v2: v128, v3: v128): v128 {
  if (sizeof<T>() == 8) return i == 0 ? i64x2.shuffle(v0, v1, 0, 2) : i64x2.shuffle(v0, v1, 1, 3);
  const a = i < 2 ? i32x4.shuffle(v0, v1, 0, 4, 1, 5) : i32x4.shuffle(v0, v1, 2, 6, 3, 7);
  const b = i < 2 ? i32x4.shuffle(v2, v3, 0, 4, 1, 5) : i32x4.shuffle(v2, v3, 2, 6, 3, 7);
  return (i & 1) == 0 ? i64x2.shuffle(a, b, 0, 2) : i64x2.shuffle(a, b, 1, 3);
}

/** Stores the first `n` rows of the turned square, `step` bytes apart. */
// @ts-ignore: decorator
@inline function storeTurned<T>(p: usize, step: usize, n: i32, v0: v128, v1: v128, v2: v128, v3: v128): void {
  if (n > 0) v128.store(p, turned<T>(0, v0, v1, v2, v3));
  if (n > 1) v128.store(p + step, turned<T>(1, v0, v1, v2, v3));
  if (sizeof<T>() == 8) return;
  if (n > 2) v128.store(p + 2 * step, turned<T>(2, v0, v1, v2, v3));
  if (n > 3) v128.store(p + 3 * step, turned<T>(3, v0, v1, v2, v3));
}

/**
 * Turns as many rows as there are lanes, `step` bytes apart from `src` on, none beyond `last`, into vectors of one
 * column each: those of even columns go to `even`, of odd ones to `odd`, `pitch` bytes from one to the next.
 */
function turnRows<T>(even: usize, odd: usize, pitch: usize, src: usize, step: usize, last: usize, width: i32): void {
  const p1 = min(src + step, last), p2 = min(src + 2 * step, last), p3 = min(src + 3 * step, last);
  const bytes = <usize>width * sizeof<T>(), body = bytes & ~15;
  let x: usize = 0;
  for (; x < body; x += 16) {
    const v0 = v128.load(src + x), v1 = v128.load(p1 + x);
    const v2 = sizeof<T>() == 8 ? v0 : v128.load(p2 + x), v3 = sizeof<T>() == 8 ? v0 : v128.load(p3 + x);
    v128.store(even, turned<T>(0, v0, v1, v2, v3));
    v128.store(odd, turned<T>(1, v0, v1, v2, v3));
    even += pitch;
    odd += pitch;
    if (sizeof<T>() == 8) continue;
    v128.store(even, turned<T>(2, v0, v1, v2, v3));
    v128.store(odd, turned<T>(3, v0, v1, v2, v3));
    even += pitch;
    odd += pitch;
  }
  for (let isOdd = false; x < bytes; x += sizeof<T>(), isOdd = !isOdd) {
    const to = isOdd ? odd : even;
    store<T>(to, load<T>(src + x));
    store<T>(to + sizeof<T>(), load<T>(p1 + x));
    if (sizeof<T>() == 4) {
      store<T>(to + 2 * sizeof<T>(), load<T>(p2 + x));
      store<T>(to + 3 * sizeof<T>(), load<T>(p3 + x));
    }
    if (isOdd) {
      even += pitch;
      odd += pitch;
    }
  }
}

/** The element of column `k`, or of the last column. */
// @ts-ignore: decorator
@inline function element(z: usize, k: i32, columns: i32): usize {
  return z + <usize>min(k, columns - 1) * ELEMENT;
}

/** The element of column `width - k`, or of the first where `k` is 0, or the only one that is asked for. */
// @ts-ignore: decorator
@inline function mirrored(z: usize, k: i32, width: i32, columns: i32): usize {
  const column = min(k, columns - 1);
  return column == 0 ? z : z + <usize>(width - column) * ELEMENT;
}

/**
 * The spectra of pairs of real rows from those of a + i b, into the groups: `A = (Z[k] + conj Z[-k]) / 2`,
 * `B = (Z[k] - conj Z[-k]) / 2i`.
 */
function unpack<T>(work: usize, z: usize, y: i32, height: i32, width: i32, columns: i32): void {
  const half = v128.splat<T>(<T>0.5), n = (height - y + 1) / 2, m = (height - y) / 2, step = 2 * ELEMENT;
  for (let g = 0, p = work + <usize>y * ELEMENT; g < columns; g += lanes<T>(), p += <usize>height * ELEMENT) {
    let z0 = element(z, g, columns), z1 = element(z, g + 1, columns), z2 = element(z, g + 2, columns);
    let z3 = element(z, g + 3, columns), m0 = mirrored(z, g, width, columns), m1 = mirrored(z, g + 1, width, columns);
    let m2 = mirrored(z, g + 2, width, columns), m3 = mirrored(z, g + 3, width, columns);
    let a0 = v128.mul<T>(v128.load(z0), half), a1 = v128.mul<T>(v128.load(z1), half);
    let a2 = v128.mul<T>(v128.load(z2), half), a3 = v128.mul<T>(v128.load(z3), half);
    let b0 = v128.mul<T>(v128.load(m0), half), b1 = v128.mul<T>(v128.load(m1), half);
    let b2 = v128.mul<T>(v128.load(m2), half), b3 = v128.mul<T>(v128.load(m3), half);
    storeTurned<T>(p, step, n, v128.add<T>(a0, b0), v128.add<T>(a1, b1), v128.add<T>(a2, b2), v128.add<T>(a3, b3));
    storeTurned<T>(
      p + ELEMENT + 16, step, m, v128.sub<T>(b0, a0), v128.sub<T>(b1, a1), v128.sub<T>(b2, a2), v128.sub<T>(b3, a3),
    );
    a0 = v128.mul<T>(v128.load(z0, 16), half), a1 = v128.mul<T>(v128.load(z1, 16), half);
    a2 = v128.mul<T>(v128.load(z2, 16), half), a3 = v128.mul<T>(v128.load(z3, 16), half);
    b0 = v128.mul<T>(v128.load(m0, 16), half), b1 = v128.mul<T>(v128.load(m1, 16), half);
    b2 = v128.mul<T>(v128.load(m2, 16), half), b3 = v128.mul<T>(v128.load(m3, 16), half);
    storeTurned<T>(p + 16, step, n, v128.sub<T>(a0, b0), v128.sub<T>(a1, b1), v128.sub<T>(a2, b2), v128.sub<T>(a3, b3));
    storeTurned<T>(
      p + ELEMENT, step, m, v128.add<T>(a0, b0), v128.add<T>(a1, b1), v128.add<T>(a2, b2), v128.add<T>(a3, b3),
    );
  }
}

/** Complex rows into the groups. */
function spread<T>(work: usize, z: usize, y: i32, height: i32, columns: i32): void {
  const n = height - y;
  for (let g = 0, p = work + <usize>y * ELEMENT; g < columns; g += lanes<T>(), p += <usize>height * ELEMENT) {
    const z0 = element(z, g, columns), z1 = element(z, g + 1, columns);
    const z2 = element(z, g + 2, columns), z3 = element(z, g + 3, columns);
    storeTurned<T>(p, ELEMENT, n, v128.load(z0), v128.load(z1), v128.load(z2), v128.load(z3));
    storeTurned<T>(p + 16, ELEMENT, n, v128.load(z0, 16), v128.load(z1, 16), v128.load(z2, 16), v128.load(z3, 16));
  }
}

/**
 * The spectra of a + i b from those of pairs of real rows in the groups: `Z[k] = A + i B`, `Z[-k] = conj A + i conj B`.
 * Elements are exchanged, imaginary parts first, on both sides.
 */
function pack<T>(z: usize, work: usize, y: i32, height: i32, width: i32): void {
  const columns = (width >> 1) + 1;
  for (let g = 0, p = work; g < columns; g += lanes<T>(), p += <usize>height * ELEMENT) {
    const a0 = element(p, y, height), a1 = element(p, y + 2, height), a2 = element(p, y + 4, height);
    const a3 = element(p, y + 6, height), b0 = element(p, y + 1, height), b1 = element(p, y + 3, height);
    const b2 = element(p, y + 5, height), b3 = element(p, y + 7, height);
    for (let part: usize = 0; part < 32; part += 16) {
      // part 0 gives the imaginary parts of Z, from those of A and the real parts of B; part 16 the real parts
      const v0 = v128.load(a0 + part), v1 = v128.load(a1 + part), v2 = v128.load(a2 + part), v3 = v128.load(a3 + part);
      const other = 16 - part;
      const w0 = v128.load(b0 + other), w1 = v128.load(b1 + other);
      const w2 = v128.load(b2 + other), w3 = v128.load(b3 + other);
      join<T>(z + part, g, width, part, turned<T>(0, v0, v1, v2, v3), turned<T>(0, w0, w1, w2, w3));
      join<T>(z + part, g + 1, width, part, turned<T>(1, v0, v1, v2, v3), turned<T>(1, w0, w1, w2, w3));
      if (sizeof<T>() == 8) continue;
      join<T>(z + part, g + 2, width, part, turned<T>(2, v0, v1, v2, v3), turned<T>(2, w0, w1, w2, w3));
      join<T>(z + part, g + 3, width, part, turned<T>(3, v0, v1, v2, v3), turned<T>(3, w0, w1, w2, w3));
    }
  }
}

/** Column `k` of `pack`, and its mirror. A real row has no imaginary part in the columns that are their own mirror. */
function join<T>(z: usize, k: i32, width: i32, part: usize, a: v128, b: v128): void {
  const mirror = width - k, low = z + <usize>k * ELEMENT, high = z + <usize>mirror * ELEMENT;
  if (mirror < k) return;
  if (k == 0 || k == mirror) v128.store(low, part == 0 ? b : a);
  else if (part == 0) {
    v128.store(low, v128.add<T>(b, a));
    v128.store(high, v128.sub<T>(b, a));
  } else {
    v128.store(low, v128.sub<T>(a, b));
    v128.store(high, v128.add<T>(a, b));
  }
}

/** A group of `count` columns of pairs, exchanged; lanes without a column are 0. */
function loadColumns<T>(dst: usize, src: usize, rowBytes: usize, height: i32, count: i32): void {
  const pair = 2 * sizeof<T>();
  if (count < lanes<T>()) memory.fill(dst, 0, <usize>height * ELEMENT);
  for (let y = 0; y < height; y++, dst += ELEMENT, src += rowBytes) {
    if (count == lanes<T>()) {
      const v0 = v128.load(src), v1 = v128.load(src, 16);
      const re = sizeof<T>() == 8 ? i64x2.shuffle(v0, v1, 0, 2) : i32x4.shuffle(v0, v1, 0, 2, 4, 6);
      const im = sizeof<T>() == 8 ? i64x2.shuffle(v0, v1, 1, 3) : i32x4.shuffle(v0, v1, 1, 3, 5, 7);
      v128.store(dst, im);
      v128.store(dst, re, 16);
    } else {
      for (let i: usize = 0; i < <usize>count; i++) {
        store<T>(dst + i * sizeof<T>(), load<T>(src + i * pair + sizeof<T>()));
        store<T>(dst + 16 + i * sizeof<T>(), load<T>(src + i * pair));
      }
    }
  }
}

/** The first `count` columns of a group as pairs times `scale`; real parts are at offset `swap` of an element. */
function storeColumns<T>(dst: usize, rowBytes: usize, src: usize, height: i32, count: i32, scale: T, swap: usize): void {
  const factor = v128.splat<T>(scale), bytes = <usize>count * 2 * sizeof<T>();
  for (let y = 0; y < height; y++, dst += rowBytes, src += ELEMENT) {
    const re = v128.mul<T>(v128.load(src + swap), factor), im = v128.mul<T>(v128.load(src + (16 - swap)), factor);
    const v0 = sizeof<T>() == 8 ? i64x2.shuffle(re, im, 0, 2) : i32x4.shuffle(re, im, 0, 4, 1, 5);
    const v1 = sizeof<T>() == 8 ? i64x2.shuffle(re, im, 1, 3) : i32x4.shuffle(re, im, 2, 6, 3, 7);
    const to = count == lanes<T>() ? dst : src;
    v128.store(to, v0);
    v128.store(to, v1, 16);
    if (to == src) { for (let b: usize = 0; b < bytes; b += 8) store<u64>(dst + b, load<u64>(src + b)); }
  }
}

/** Turned rows as they are, times `scale`: the way back from a stack of pairs of rows; see `irfft2`. */
function storeRows<T>(dst: usize, step: usize, n: i32, src: usize, width: i32, scale: T): void {
  const factor = v128.splat<T>(scale), bytes = <usize>width * sizeof<T>(), body = bytes & ~15;
  let x: usize = 0;
  for (; x < body; x += 16, src += ELEMENT * <usize>lanes<T>()) {
    const v0 = v128.mul<T>(v128.load(src), factor), v1 = v128.mul<T>(v128.load(src, 32), factor);
    const v2 = sizeof<T>() == 8 ? v0 : v128.mul<T>(v128.load(src, 64), factor);
    const v3 = sizeof<T>() == 8 ? v0 : v128.mul<T>(v128.load(src, 96), factor);
    storeTurned<T>(dst + x, step, n, v0, v1, v2, v3);
  }
  for (; x < bytes; x += sizeof<T>(), src += ELEMENT) {
    const rows = min(n, lanes<T>());
    for (let i: usize = 0; i < <usize>rows; i++) {
      store<T>(dst + i * step + x, <T>(load<T>(src + i * sizeof<T>()) * scale));
    }
  }
}

// @ts-ignore: decorator
@inline export function rfft2<T>(
  dst: usize, src: usize, height: i32, width: i32, columns: i32, tables: usize, scratch: usize,
): void {
  if (height == 0 || width == 0) return;
  const pair = 2 * sizeof<T>(), rowBytes = <usize>width * sizeof<T>(), last = src + <usize>(height - 1) * rowBytes;
  const group = <usize>height * ELEMENT, groups = (columns + lanes<T>() - 1) / lanes<T>();
  const stack = scratch + <usize>groups * group, spare = stack + <usize>width * ELEMENT;
  for (let y = 0, row = src; y < height; y += 2 * lanes<T>(), row += 2 * <usize>lanes<T>() * rowBytes) {
    turnRows<T>(stack, stack + ELEMENT, 2 * ELEMENT, row, 2 * rowBytes, last, width);
    turnRows<T>(stack + 16, stack + 48, 2 * ELEMENT, min(row + rowBytes, last), 2 * rowBytes, last, width);
    unpack<T>(scratch, transform<T>(tables, stack, spare), y, height, width, columns);
  }
  const table = tables + tableBytes<T>(tables);
  for (let k = 0, p = scratch; k < columns; k += lanes<T>(), p += group, dst += 32) {
    storeColumns<T>(dst, <usize>columns * pair, transform<T>(table, p, spare), height, min(lanes<T>(), columns - k), 1, 0);
  }
}

// @ts-ignore: decorator
@inline export function irfft2<T>(
  dst: usize, src: usize, height: i32, width: i32, tables: usize, scratch: usize,
): void {
  if (height == 0 || width == 0) return;
  const pair = 2 * sizeof<T>(), rowBytes = <usize>width * sizeof<T>(), columns = (width >> 1) + 1;
  const group = <usize>height * ELEMENT, groups = (columns + lanes<T>() - 1) / lanes<T>();
  const stack = scratch + <usize>groups * group, spare = stack + <usize>width * ELEMENT;
  const table = tables + tableBytes<T>(tables), scale = <T>(1.0 / (<f64>height * <f64>width));
  for (let k = 0, p = scratch; k < columns; k += lanes<T>(), p += group, src += 32) {
    loadColumns<T>(p, src, <usize>columns * pair, height, min(lanes<T>(), columns - k));
    const found = transform<T>(table, p, spare);
    if (found != p) memory.copy(p, found, group);
  }
  for (let y = 0; y < height; y += 2 * lanes<T>(), dst += 2 * <usize>lanes<T>() * rowBytes) {
    pack<T>(stack, scratch, y, height, width);
    const found = transform<T>(tables, stack, spare);
    storeRows<T>(dst, 2 * rowBytes, (height - y + 1) / 2, found + 16, width, scale);
    storeRows<T>(dst + rowBytes, 2 * rowBytes, (height - y) / 2, found, width, scale);
  }
}

// @ts-ignore: decorator
@inline export function fft2<T>(
  dst: usize, src: usize, height: i32, width: i32, back: i32, tables: usize, scratch: usize,
): void {
  if (height == 0 || width == 0) return;
  const rowBytes = <usize>width * 2 * sizeof<T>(), last = src + <usize>(height - 1) * rowBytes;
  const group = <usize>height * ELEMENT, groups = (width + lanes<T>() - 1) / lanes<T>();
  const stack = scratch + <usize>groups * group, spare = stack + <usize>width * ELEMENT, swap: usize = back ? 16 : 0;
  for (let y = 0, row = src; y < height; y += lanes<T>(), row += <usize>lanes<T>() * rowBytes) {
    turnRows<T>(stack + swap, stack + (16 - swap), ELEMENT, row, rowBytes, last, 2 * width);
    spread<T>(scratch, transform<T>(tables, stack, spare), y, height, width);
  }
  const table = tables + tableBytes<T>(tables), scale = back ? <T>(1.0 / (<f64>height * <f64>width)) : <T>1;
  for (let k = 0, p = scratch; k < width; k += lanes<T>(), p += group, dst += 32) {
    storeColumns<T>(dst, rowBytes, transform<T>(table, p, spare), height, min(lanes<T>(), width - k), scale, swap);
  }
}
