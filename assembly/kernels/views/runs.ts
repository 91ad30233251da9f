// count_up, join_runs, number_runs, first_samples, paint_runs: connected components of lines of bits, see `bits.ts`.
//
// Runs of a tile are numbered in row-major order. `parents` has a number for each: its own if the run is the first one of
// its component, else that of an earlier run of the same component.
//
// Two lines are joined word by word. A pair of runs that touch has one bit, at the first place where they do:
//
//   line    · 1 1 1 · · 1 ·      both inside, for the first time: ↓
//   other   1 1 · 1 1 · · 1      ended beside the start of the other: ×, where diagonal neighbours count
//             ↓   ↓       ×
//
// The runs of that bit follow from its place: so many runs begin up to it.

// @ts-ignore: decorator
@inline export function countUp<T>(out: usize, n: i32, first: u32): void {
  const body = n & ~3, four = i32x4.splat(4);
  let next = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  for (let i = 0; i < body; i += 4, next = i32x4.add(next, four)) v128.store(at(out, i), next);
  for (let i = body; i < n; i++) store<u32>(at(out, i), first + i);
}

// @ts-ignore: decorator
@inline export function joinRuns<T>(parents: usize, line: usize, run: u32, other: usize, otherRun: u32, words: i32, diagonal: i32): void {
  const corners: u64 = diagonal ? ~(<u64>0) : 0;
  let lastA: u64 = 0, lastB: u64 = 0, i = run - 1, j = otherRun - 1;
  for (let k = 0; k < words; k++, line += 8, other += 8) {
    const a = load<u64>(line), b = load<u64>(other);
    const beforeA = a << 1 | lastA, beforeB = b << 1 | lastB;
    const startsA = a & ~beforeA, startsB = b & ~beforeB;
    let pairs = (a & b & ~(beforeA & beforeB)) | (corners & ((startsA & beforeB & ~b) | (startsB & beforeA & ~a)));
    for (; pairs != 0; pairs &= pairs - 1) {
      const upTo = pairs ^ (pairs - 1); // the lowest bit, and those below it
      unite(parents, i + <u32>popcnt(startsA & upTo), j + <u32>popcnt(startsB & upTo));
    }
    i += <u32>popcnt(startsA);
    j += <u32>popcnt(startsB);
    lastA = a >> 63;
    lastB = b >> 63;
  }
}

/** Of two components that become one, the first run is the earlier one of both. */
// @ts-ignore: decorator
@inline function unite(parents: usize, a: u32, b: u32): void {
  const left = root(parents, a), right = root(parents, b);
  if (left < right) store<u32>(at(parents, right), left);
  else store<u32>(at(parents, left), right);
}

/** The first run of a component; makes the way to it half as long. */
// @ts-ignore: decorator
@inline function root(parents: usize, run: u32): u32 {
  let parent = load<u32>(at(parents, run));
  while (parent != run) {
    const next = load<u32>(at(parents, parent));
    store<u32>(at(parents, run), next);
    run = next;
    parent = load<u32>(at(parents, run));
  }
  return run;
}

// @ts-ignore: decorator
@inline function at(list: usize, i: u32): usize {
  return list + (<usize>i << 2);
}

/** Parents are earlier runs, which have their names already. */
// @ts-ignore: decorator
@inline export function numberRuns<T>(count: usize, runs: usize, n: i32, names: usize): void {
  let known: u32 = 0;
  for (let run: u32 = 0; run < <u32>n; run++) {
    const parent = load<u32>(at(runs, run));
    store<u32>(at(runs, run), load<u32>(parent == run ? at(names, known++) : at(runs, parent)));
  }
  store<u32>(count, known);
}

// @ts-ignore: decorator
@inline export function firstSamples<T>(out: usize, labels: usize, bits: usize, rows: i32, n: i32): void {
  let known: u32 = 0;
  for (let row = 0; row < rows; row++) {
    let last: u64 = 0;
    for (let x = 0; x < n; x += 64, bits += 8) {
      const word = load<u64>(bits);
      for (let starts = word & ~(word << 1 | last); starts != 0; starts &= starts - 1, labels += 4) {
        const label = load<u32>(labels);
        if (label <= known) continue;
        known = label;
        store<u32>(out, <u32>(row * n + x) + <u32>ctz(starts));
        out += 4;
      }
      last = word >> 63;
    }
  }
}

// @ts-ignore: decorator
@inline export function paintRuns<T>(out: usize, labels: usize, bits: usize, n: i32): void {
  let x = 0, value: u32 = 0;
  let last: u64 = 0;
  for (let k = 0; k < n; k += 64, bits += 8) {
    const word = load<u64>(bits);
    let changes = word ^ (word << 1 | last);
    last = word >> 63;
    if (popcnt(changes) > DENSE) {
      for (; changes != 0; changes &= changes - 1) {
        const place = k + <i32>ctz(changes);
        paintShort(out, x, place, n, value);
        x = place;
        if (word >> (place & 63) & 1) {
          value = load<u32>(labels);
          labels += 4;
        } else value = 0;
      }
    } else {
      for (; changes != 0; changes &= changes - 1) {
        const place = k + <i32>ctz(changes);
        paint(out, x, place, n, value);
        x = place;
        if (word >> (place & 63) & 1) {
          value = load<u32>(labels);
          labels += 4;
        } else value = 0;
      }
    }
  }
  paint(out, x, n, n, value);
}

/** Changes per word from which runs are short. The loop is there twice, which is faster than a choice per run. */
const DENSE: u64 = 12;
/** Samples outside for which an instruction that fills memory pays. */
const MANY: i32 = 128;

/** Four at a time, as long as the line goes on: what is too much is painted over by the next ones. */
// @ts-ignore: decorator
@inline function paintShort(out: usize, from: i32, to: i32, n: i32, value: u32): void {
  const four = i32x4.splat(value);
  let x = from;
  for (; x < to && x + 4 <= n; x += 4) v128.store(at(out, x), four);
  for (; x < to; x++) store<u32>(at(out, x), value);
}

/** As {@link paintShort}, sixteen at a time: most runs take one round, so that its end is foreseen. */
// @ts-ignore: decorator
@inline function paint(out: usize, from: i32, to: i32, n: i32, value: u32): void {
  if (value == 0 && to - from >= MANY) {
    memory.fill(at(out, from), 0, <usize>(to - from) << 2);
    return;
  }
  const four = i32x4.splat(value);
  let x = from;
  for (; x < to && x + 16 <= n; x += 16) {
    v128.store(at(out, x), four);
    v128.store(at(out, x), four, 16);
    v128.store(at(out, x), four, 32);
    v128.store(at(out, x), four, 48);
  }
  paintShort(out, x, to, n, value);
}
