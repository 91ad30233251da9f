// Sorts a file of 64-bit integers that is larger than the memory for it: first runs, then merges of runs.
//
//   a run     as many keys as the buffer of a channel holds, sorted there by heapsort, written to a file
//   a merge   the next FAN runs become one: a block of each lies in the buffer, a heap of runs says which one has the
//             smallest key, and one more block collects what is written
//   a pass    all merges of runs of one length, from one file to the other, until one run is left
//
// Members of the group take turns with runs and merges, each through its own channel, and meet after each pass. Nothing
// is allocated: the memory is that of the channels.

import {
  barrier, channel, File, groupSize, ioBuffer, lastError, localId, maxCount, Mode, openFile, Whence,
} from "tilewise/channels";

/** The buffer is too small for a merge; statuses lie above -1000. */
const TOO_SMALL: i32 = -1001;

/** The file has fewer keys than was said. */
const SHORT: i32 = -1002;

/** Most runs in one merge. */
const FAN: i32 = 16;

/** Keys in the smallest buffer: a block of one key for each run and for the output, runs, and a heap of them. */
const LEAST: i32 = FAN + 1 + FAN * 5;

/** A run that is being merged: the keys from `at` to `end` are in memory, those from `next` to `stop` in the file. */
@unmanaged
class Run {
  next: i64;
  stop: i64;
  at: usize;
  end: usize;
}

/**
 * Sorts `total` keys of `input` into `output`; `spare` is a file for what lies between. Both must be there. `keys` is how
 * many keys a member may hold. 0, the negative status of a call, TOO_SMALL, or SHORT.
 */
export function sort(
  input: usize, inputLength: i32, output: usize, outputLength: i32, spare: usize, spareLength: i32, total: f64, keys: i32,
): i32 {
  const from = openFile<i64>(channel(), Mode.READ_ONLY, input, inputLength);
  const last = openFile<i64>(channel(), Mode.READ_WRITE, output, outputLength);
  const other = openFile<i64>(channel(), Mode.READ_WRITE, spare, spareLength);
  let result = min(min(from.handle, last.handle), min(other.handle, 0));
  if (keys > maxCount<i64>() || keys < LEAST) result = TOO_SMALL;
  result = passes(result, from, last, other, <i64>total, keys);
  const closed = min(last.close(), other.close());
  from.close();
  return result < 0 ? result : min(closed, 0);
}

/** Runs, then passes. A member that has failed does nothing more, but meets the others: they wait for it. */
function passes(status: i32, from: File<i64>, last: File<i64>, other: File<i64>, total: i64, keys: i32): i32 {
  let result = status, merges = 0;
  for (let length = <i64>max(keys, 1); length < total; length *= FAN) merges++;
  let to = merges & 1 ? other : last; // so that the last pass writes the output
  if (result == 0) result = makeRuns(from, to, total, keys);
  barrier();
  for (let length = <i64>max(keys, 1); length < total; length *= FAN) {
    const source = to;
    to = to == last ? other : last;
    if (result == 0) result = mergeAll(source, to, total, length, keys);
    barrier();
  }
  return result;
}

function makeRuns(from: File<i64>, to: File<i64>, total: i64, keys: i32): i32 {
  const run = ioBuffer(channel());
  for (let start = <i64>localId() * keys; start < total; start += <i64>groupSize() * keys) {
    const count = <i32>min(<i64>keys, total - start);
    if (from.read(run, count, Whence.BEGIN, start) != count) return failed();
    sortKeys(run, count);
    if (to.write(run, count, Whence.BEGIN, start) != count) return failed();
  }
  return 0;
}

/** Heapsort: never slower for keys in an unlucky order, and in place. */
function sortKeys(at: usize, count: i32): void {
  for (let i = count / 2 - 1; i >= 0; i--) sift<i64>(at, i, count);
  for (let end = count - 1; end > 0; end--) {
    const largest = load<i64>(at), there = at + (<usize>end << 3);
    store<i64>(at, load<i64>(there));
    store<i64>(there, largest);
    sift<i64>(at, 0, end);
  }
}

/** What a heap has at its top is the smallest: the run with the smallest key, but of plain keys the largest. */
@inline
function rank<T>(value: T): i64 {
  if (isReference<T>()) return load<i64>(changetype<Run>(value).at);
  return ~(<i64>value); // the order of ~x is that of x in reverse, without an overflow
}

/** Moves the value at place `i` of a heap down to where it belongs. */
function sift<T>(heap: usize, i: i32, count: i32): void {
  const value = load<T>(heap + <usize>i * sizeof<T>());
  const own = rank<T>(value);
  for (let child = 2 * i + 1; child < count; child = 2 * i + 1) {
    let lower = load<T>(heap + <usize>child * sizeof<T>());
    if (child + 1 < count) {
      const right = load<T>(heap + <usize>(child + 1) * sizeof<T>());
      if (rank<T>(right) < rank<T>(lower)) {
        lower = right;
        child++;
      }
    }
    if (rank<T>(lower) >= own) break;
    store<T>(heap + <usize>i * sizeof<T>(), lower);
    i = child;
  }
  store<T>(heap + <usize>i * sizeof<T>(), value);
}

function mergeAll(from: File<i64>, to: File<i64>, total: i64, length: i64, keys: i32): i32 {
  const stride = length * FAN;
  for (let start = <i64>localId() * stride; start < total; start += <i64>groupSize() * stride) {
    const result = merge(from, to, start, min(total, start + stride), length, keys);
    if (result < 0) return result;
  }
  return 0;
}

/** Merges the runs of `length` keys from `start` to `stop`: runs and their heap lie at the front of the buffer, blocks behind. */
function merge(from: File<i64>, to: File<i64>, start: i64, stop: i64, length: i64, keys: i32): i32 {
  const runs = ioBuffer(channel());
  const heap = runs + FAN * offsetof<Run>();
  const blocks = runs + <usize>(LEAST - FAN - 1 << 3);
  const block = <usize>((keys - LEAST + FAN + 1) / (FAN + 1)) << 3;
  let count = 0;
  for (let first = start; first < stop; first += length, count++) {
    const run = changetype<Run>(runs + <usize>count * offsetof<Run>());
    run.next = first;
    run.stop = min(stop, first + length);
    if (!refill(from, run, blocks + <usize>count * block, block)) return failed();
    store<Run>(heap + <usize>count * sizeof<Run>(), run);
  }
  for (let i = count / 2 - 1; i >= 0; i--) sift<Run>(heap, i, count);
  return drain(from, to, start, heap, count, runs, blocks, block);
}

/** Takes the smallest key again and again until all runs are empty. */
function drain(
  from: File<i64>, to: File<i64>, start: i64, heap: usize, runsLeft: i32, runs: usize, blocks: usize, block: usize,
): i32 {
  const out = blocks + FAN * block;
  let put = out, place = start, count = runsLeft;
  while (count > 0) {
    const run = load<Run>(heap);
    store<i64>(put, load<i64>(run.at));
    put += 8;
    run.at += 8;
    if (run.at == run.end) {
      const slot = (changetype<usize>(run) - runs) / offsetof<Run>();
      if (run.next == run.stop) store<Run>(heap, load<Run>(heap + <usize>(--count) * sizeof<Run>()));
      else if (!refill(from, run, blocks + slot * block, block)) return failed();
    }
    sift<Run>(heap, 0, count);
    if (put < out + block && count > 0) continue;
    const ready = <i32>(put - out >> 3);
    if (to.write(out, ready, Whence.BEGIN, place) != ready) return failed();
    place += ready;
    put = out;
  }
  return 0;
}

/** Reads the next block of a run. */
function refill(from: File<i64>, run: Run, at: usize, bytes: usize): bool {
  const count = <i32>min(<i64>(bytes >> 3), run.stop - run.next);
  if (from.read(at, count, Whence.BEGIN, run.next) != count) return false;
  run.next += count;
  run.at = at;
  run.end = at + (<usize>count << 3);
  return true;
}

/** Why a transfer was short; no status means that the file ended. */
function failed(): i32 {
  const status = lastError(channel());
  return status == 0 ? SHORT : -status;
}
