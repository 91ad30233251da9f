// Looks keys up in a B-tree that stays in its file: each look-up reads one page per level, and what a page says decides which
// one is read next.
//
//   a page     512 numbers of 64 bits: how many entries it has, 255 keys in ascending order, 255 values
//   values     of a leaf: what belongs to the keys; of other pages: the number of the page whose smallest key this is
//
// The buffer of a channel holds a page, and a block of questions that become answers.

import {
  channel, File, groupCount, groupId, ioBuffer, lastError, Mode, openFile, openRead, ReadFile, Whence,
} from "tilewise/channels";

/** Numbers in a page, and in a block of questions. */
const PAGE: i32 = 512;

/** Most entries of a page. */
const ENTRIES: i32 = 255;

/** A page has a count of entries that cannot be; statuses lie above -1000. */
const DAMAGED: i32 = -1001;

/** A file ends where there should be more. */
const SHORT: i32 = -1002;

/** What is answered for a key that is not there. */
const ABSENT: i64 = -1;

/**
 * Answers `count` questions of the file `asked` in the file `answers`, which must be there; `root` is a page of the tree with
 * `levels` levels. 0, the negative status of a call, DAMAGED or SHORT.
 */
export function tree(
  tree: usize, treeLength: i32, asked: usize, askedLength: i32, answers: usize, answersLength: i32,
  count: i32, root: i32, levels: i32,
): i32 {
  const pages = openRead<i64>(channel(), tree, treeLength);
  const from = openRead<i64>(channel(), asked, askedLength);
  const to = openFile<i64>(channel(), Mode.READ_WRITE, answers, answersLength);
  let result = min(min(pages.handle, from.handle), min(to.handle, 0));
  for (let at = groupId() * PAGE; at < count && result == 0; at += groupCount() * PAGE) {
    result = block(pages, from, to, at, min(PAGE, count - at), root, levels);
  }
  const closed = to.close();
  from.close();
  pages.close();
  return result < 0 ? result : closed;
}

function block(
  pages: ReadFile<i64>, from: ReadFile<i64>, to: File<i64>, at: i32, count: i32, root: i32, levels: i32,
): i32 {
  const questions = ioBuffer(channel()) + (<usize>PAGE << 3);
  if (from.read(questions, count, Whence.BEGIN, at) != count) return failed();
  for (let i = 0; i < count; i++) {
    const result = lookUp(pages, questions + (<usize>i << 3), root, levels);
    if (result < 0) return result;
  }
  return to.write(questions, count, Whence.BEGIN, at) == count ? 0 : failed();
}

/** Puts the value of the key at `place` there. */
function lookUp(pages: ReadFile<i64>, place: usize, root: i32, levels: i32): i32 {
  const page = ioBuffer(channel()), key = load<i64>(place);
  let next = <i64>root;
  for (let level = 0; level < levels; level++) {
    if (pages.read(page, PAGE, Whence.BEGIN, next * PAGE) != PAGE) return failed();
    const entries = load<i64>(page);
    if (entries < 1 || entries > ENTRIES) return DAMAGED;
    const entry = lastUpTo(page + 8, <i32>entries, key);
    next = entry < 0 ? ABSENT : load<i64>(page + 8 + (<usize>(ENTRIES + entry) << 3));
    if (entry < 0) break; // smaller than all keys
    if (level + 1 == levels && load<i64>(page + 8 + (<usize>entry << 3)) != key) next = ABSENT;
  }
  store<i64>(place, next);
  return 0;
}

/** The last of `count` ascending keys that is not above `key`, or -1. */
function lastUpTo(keys: usize, count: i32, key: i64): i32 {
  let low = -1, high = count; // keys[low] <= key < keys[high]
  while (high - low > 1) {
    const middle = low + high >> 1;
    if (load<i64>(keys + (<usize>middle << 3)) <= key) low = middle;
    else high = middle;
  }
  return low;
}

/** Why a transfer was short; no status means that the file ended. */
function failed(): i32 {
  const status = lastError(channel());
  return status == 0 ? SHORT : -status;
}
