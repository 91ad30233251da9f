/**
 * Object headers: the list of messages that says what an object of an HDF5 file is.
 *
 * @module
 */

import { CHECKSUM_BYTES, type Cursor } from "./cursor.ts";
import type { Hdf5File } from "./file.ts";
import { FractalHeap } from "./heaps.ts";

// Messages that many objects share: kept once, in heaps that a table of the file lists.
// ```
// superblock extension: message 0x0F  version₈ address of the table  number of indices₈
// table: SMTB, for each index  version₈ kind₈ types of messages₁₆ … address of the index, address of its heap
// ```

/** Bytes of an id in such a heap. */
const SHARED_ID_BYTES = 8;

/** Indices that a file may have. */
const MOST_INDICES = 8;

/** The body of the message of `type` with this id; `table` is the message that says where the table is. */
async function fromSharedHeap(
  file: Hdf5File,
  table: Cursor,
  type: number,
  id: Cursor,
): Promise<Cursor> {
  table.version("a table of shared messages", 0);
  const address = file.knownAddress(table, "the table of shared messages");
  const indices = table.u8();
  if (indices < 1 || indices > MOST_INDICES) {
    throw table.error("malformed", `a file has ${indices} indices of shared messages`);
  }
  const entryBytes = 14 + 2 * file.offsetSize;
  const list = await file.checked(address, 4 + indices * entryBytes, "the table of shared messages");
  list.signature("SMTB");
  for (let i = 0; i < indices; i++) {
    const entry = list.part(entryBytes);
    entry.version("an index of shared messages", 0);
    entry.skip(1); // list or tree: ids lead to the messages without it
    const types = entry.u16();
    entry.skip(4 + 2 + 2 + 2 + file.offsetSize);
    if (!(types >> type & 1)) continue;
    const heap = await FractalHeap.open(file, file.knownAddress(entry, "the heap of shared messages"));
    return await heap.get(id);
  }
  throw id.error("malformed", `messages of type ${type} are shared, but the file has no index of them`);
}

/** Message types that are read here. */
export const MESSAGE = {
  dataspace: 0x01,
  linkInfo: 0x02,
  datatype: 0x03,
  oldFill: 0x04,
  fill: 0x05,
  link: 0x06,
  externalFiles: 0x07,
  layout: 0x08,
  filters: 0x0b,
  attribute: 0x0c,
  sharedTable: 0x0f,
  continuation: 0x10,
  symbolTable: 0x11,
  driver: 0x14,
  attributeInfo: 0x15,
} as const;

/** One message of an object header. */
export interface Message {
  /** Its type. */
  readonly type: number;
  /** Its contents. */
  readonly body: Cursor;
  /** Whether the contents only say where the message is. */
  readonly shared: boolean;
}

/** Types of messages that are kept. */
const KNOWN: ReadonlySet<number> = new Set(Object.values(MESSAGE));

/** Messages an object may have: more is not an object but noise. */
const MOST_MESSAGES = 65536;

/** The messages of the object at `address`. Errors: `malformed`, also for blocks that lead back to themselves. */
export async function readMessages(file: Hdf5File, address: number): Promise<Message[]> {
  const head = file.atHand(address, 16 + 32) ?? await file.readUpTo(address, 16 + 32);
  const isNew = head.startsWith("OHDR");
  const first = isNew ? await newHeader(file, address, head) : await oldHeader(file, address, head);
  const messages: Message[] = [];
  let count = 0;
  const blocks = [first.block];
  const seen = new Set<number>();
  for (let block = blocks.shift(); block; block = blocks.shift()) {
    if (seen.has(block.offset)) throw block.error("malformed", "an object header leads back to itself");
    seen.add(block.offset);
    for (const message of messagesIn(block.copy(), first)) {
      if (count++ >= MOST_MESSAGES) throw block.error("malformed", "an object has too many messages");
      if (message.type === MESSAGE.continuation) blocks.push(await continuation(file, message.body, isNew));
      else if (KNOWN.has(message.type)) messages.push(message);
    }
  }
  return messages;
}

/** The first block of messages, and what the headers of messages look like. */
interface Header {
  readonly block: Cursor;
  readonly isNew: boolean;
  readonly ordered: boolean;
}

async function oldHeader(file: Hdf5File, address: number, head: Cursor): Promise<Header> {
  head.version("an object header", 1);
  head.skip(1 + 2 + 4);
  const size = head.u32();
  const block = file.atHand(address + 16, size) ?? await file.read(address + 16, size);
  return { block, isNew: false, ordered: false };
}

async function newHeader(file: Hdf5File, address: number, head: Cursor): Promise<Header> {
  head.signature("OHDR");
  head.version("an object header", 2);
  const flags = head.u8();
  if (flags & 0x20) head.skip(16); // times
  if (flags & 0x10) head.skip(4); // limits of attribute storage
  const size = head.uint(1 << (flags & 3));
  const length = head.position + size;
  const what = "an object header";
  const whole = file.checkedAtHand(address, length, what) ?? await file.checked(address, length, what);
  whole.skip(head.position);
  return { block: whole.part(size), isNew: true, ordered: (flags & 4) !== 0 };
}

async function continuation(file: Hdf5File, body: Cursor, isNew: boolean): Promise<Cursor> {
  const address = file.knownAddress(body, "more messages");
  const length = file.length(body);
  if (!isNew) return await file.read(address, length);
  const block = await file.checked(address, length - CHECKSUM_BYTES, "a block of an object header");
  block.signature("OCHK");
  return block.part(block.left);
}

function* messagesIn(block: Cursor, { isNew, ordered }: Header): Generator<Message> {
  const header = isNew ? (ordered ? 6 : 4) : 8;
  while (block.left >= header) {
    const type = isNew ? block.u8() : block.u16();
    const size = block.u16();
    const flags = block.u8();
    block.skip(isNew ? (ordered ? 2 : 0) : 3);
    yield { type, body: block.part(size), shared: (flags & 2) !== 0 };
  }
}

/** The body of the first message of `type`; shared ones are looked up where they are. */
export async function findMessage(
  file: Hdf5File,
  messages: readonly Message[],
  type: number,
): Promise<Cursor | undefined> {
  return (await findMessages(file, messages, [type]))[0];
}

/** As {@link findMessage}, for several types. */
export async function findMessages(
  file: Hdf5File,
  messages: readonly Message[],
  types: readonly number[],
): Promise<(Cursor | undefined)[]> {
  const found: (Cursor | undefined)[] = [];
  for (const type of types) {
    const message = messages.find((candidate) => candidate.type === type);
    const body = message && fresh(message.body);
    found.push(body && message.shared ? await sharedBody(file, body, type) : body);
  }
  return found;
}

/** What a shared message stands for: the message of that type of another object. */
export async function sharedBody(file: Hdf5File, body: Cursor, type: number): Promise<Cursor> {
  const version = body.version("a shared message", 1, 2, 3);
  const kind = body.u8();
  if (version === 3 && kind === 1) return await heapBody(file, body.part(SHARED_ID_BYTES), type);
  if (version === 1) body.skip(6);
  const address = file.knownAddress(body, "a shared message");
  const found = (await readMessages(file, address)).find((message) =>
    message.type === type && !message.shared
  );
  if (found) return fresh(found.body);
  throw body.error("malformed", `the object at ${address} has no message of type ${type}`);
}

/** The message of `type` with this id in the heap that all objects of the file share. */
export async function heapBody(file: Hdf5File, id: Cursor, type: number): Promise<Cursor> {
  const messages = file.extension === undefined ? [] : await readMessages(file, file.extension);
  const table = messages.find((message) => message.type === MESSAGE.sharedTable);
  if (table) return await fromSharedHeap(file, fresh(table.body), type, id);
  throw id.error("malformed", "a message is shared, but the file has no table of such messages");
}

/** The same bytes from the start. */
function fresh(body: Cursor): Cursor {
  body.position = 0;
  return body.part(body.length);
}
