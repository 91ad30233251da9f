/**
 * What kernels get from `tilewise/channels` for files and work groups, in AssemblyScript.
 *
 * There are functions over handles, with counts in elements of the host, and classes whose elements have a type of the kernel.
 * All are inline, so that nothing is left of them but the call of an import. An object is its handle: nothing is allocated.
 * What a class cannot do (writing to a `ReadFile`) does not compile.
 *
 * @module
 */

import type { Library } from "../../user_kernels/prelude.ts";
import { STATUS } from "../protocol/status.ts";
import { TOGETHER } from "./group.ts";
import { FILE_IMPORTS, IMPORT_MODULE, type ImportRow } from "./import_table.ts";
import { MODE_NAMES, WHENCE } from "./modes.ts";

/** The text; the declarations of imports, and the enums `Mode`, `Whence` and `Status` come before it. */
const FILE_LIBRARY_TEXT = `
/** Opens the file whose name is the \`nameLength\` bytes at \`name\`: a handle above zero, or a negative status. */
@inline export function open(channel: i32, mode: i32, name: usize, nameLength: i32): i32 {
  return fs_open(channel, mode, name, nameLength, 0);
}
/** The same for text in the source of the kernel. */
@inline export function openText(channel: i32, mode: i32, name: string): i32 {
  return fs_open_text(channel, mode, changetype<usize>(name), name.length, 0);
}
/** The same for the whole work group: every member makes this call, and every later one for the file. */
@inline export function openTogether(channel: i32, mode: i32, name: usize, nameLength: i32): i32 {
  return fs_open(channel, mode | TOGETHER, name, nameLength, 0);
}
/** Elements read to the address \`to\`: fewer at the end of the file, 0 if it failed. */
@inline export function read(handle: i32, to: usize, count: i32, whence: i32 = Whence.CURRENT, offset: f64 = 0): i32 {
  return fs_read(handle, to, count, whence, offset);
}
/** Elements written from the address \`from\`: fewer if the device is full, 0 if it failed. */
@inline export function write(handle: i32, from: usize, count: i32, whence: i32 = Whence.CURRENT, offset: f64 = 0): i32 {
  return fs_write(handle, from, count, whence, offset);
}
/** The same in the buffer of the channel, from its element \`at\` on. */
@inline export function readBuffer(handle: i32, at: i32, count: i32, whence: i32 = Whence.CURRENT, offset: f64 = 0): i32 {
  return fs_read_buffer(handle, at, count, whence, offset);
}
@inline export function writeBuffer(handle: i32, at: i32, count: i32, whence: i32 = Whence.CURRENT, offset: f64 = 0): i32 {
  return fs_write_buffer(handle, at, count, whence, offset);
}
/** 0, or a negative status; the handle is invalid afterwards. */
@inline export function close(handle: i32): i32 { return fs_close(handle); }
@inline export function flush(handle: i32): i32 { return fs_flush(handle); }
/** Elements in the file. */
@inline export function size(handle: i32): f64 { return fs_size(handle); }
/** Moves the cursor: elements before it. */
@inline export function seek(handle: i32, offset: f64, whence: i32 = Whence.BEGIN): f64 { return fs_seek(handle, whence, offset); }
@inline export function tell(handle: i32): f64 { return fs_seek(handle, Whence.CURRENT, 0); }
/** Makes the file \`count\` elements long. */
@inline export function truncate(handle: i32, count: f64): i32 { return fs_truncate(handle, count); }

/** Elements are those of the host. */
export class Host {}

@inline function sizeAsked<T>(): i32 { return isReference<T>() ? 0 : <i32>sizeof<T>(); }
@inline function sizeOf<T>(): i32 { return isReference<T>() ? fs_element_size() : <i32>sizeof<T>(); }

/** Elements of a view of \`size\` that a transfer from \`begin\` on can reach. */
@inline export function inView(size: i32, begin: i32, count: i32): i32 {
  return begin < 0 || begin >= size ? 0 : min(count, size - begin);
}

/** What all open files have. Counts, offsets and sizes are in elements of T. */
@unmanaged export class AnyFile<T> {
  /** Above zero; a negative status if the file could not be opened. */
  @inline get handle(): i32 { return <i32>changetype<usize>(this); }
  @inline get ok(): bool { return this.handle > 0; }
  /** Elements in the file. */
  @inline get size(): i64 { return <i64>fs_size(this.handle); }
  /** Elements before the cursor. */
  @inline get tell(): i64 { return <i64>fs_seek(this.handle, Whence.CURRENT, 0); }
  @inline seek(offset: i64, whence: i32 = Whence.BEGIN): i64 { return <i64>fs_seek(this.handle, whence, <f64>offset); }
  /** 0, or a negative status; the handle is invalid afterwards. */
  @inline close(): i32 { return fs_close(this.handle); }
}

@unmanaged export class ReadFile<T> extends AnyFile<T> {
  /** Elements read to the address \`to\`: fewer at the end of the file, 0 if it failed. */
  @inline read(to: usize, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): i32 {
    return fs_read(this.handle, to, count, whence, <f64>offset);
  }
  /** The same to a view of \`size\` elements at \`view\`, from its element \`begin\` on. */
  @inline readView(view: usize, size: i32, begin: i32, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): i32 {
    const n = inView(size, begin, count);
    return n == 0 ? 0 : this.read(view + <usize>begin * sizeOf<T>(), n, whence, offset);
  }
  /** The same to the buffer of the channel, from its element \`at\` on. */
  @inline readBuffer(at: i32, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): i32 {
    return fs_read_buffer(this.handle, at, count, whence, <f64>offset);
  }
}

@unmanaged export class WriteFile<T> extends AnyFile<T> {
  /** Elements written from the address \`from\`: fewer if the device is full, 0 if it failed. */
  @inline write(from: usize, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): i32 {
    return fs_write(this.handle, from, count, whence, <f64>offset);
  }
  @inline writeView(view: usize, size: i32, begin: i32, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): i32 {
    const n = inView(size, begin, count);
    return n == 0 ? 0 : this.write(view + <usize>begin * sizeOf<T>(), n, whence, offset);
  }
  @inline writeBuffer(at: i32, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): i32 {
    return fs_write_buffer(this.handle, at, count, whence, <f64>offset);
  }
  @inline flush(): i32 { return fs_flush(this.handle); }
  @inline truncate(count: i64): i32 { return fs_truncate(this.handle, <f64>count); }
}

/** A file that can be read and written, or whose mode is known when the kernel runs. */
@unmanaged export class File<T> extends ReadFile<T> {
  @inline get output(): WriteFile<T> { return changetype<WriteFile<T>>(this); }
  @inline write(from: usize, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): i32 {
    return this.output.write(from, count, whence, offset);
  }
  @inline writeView(view: usize, size: i32, begin: i32, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): i32 {
    return this.output.writeView(view, size, begin, count, whence, offset);
  }
  @inline writeBuffer(at: i32, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): i32 {
    return this.output.writeBuffer(at, count, whence, offset);
  }
  @inline flush(): i32 { return this.output.flush(); }
  @inline truncate(count: i64): i32 { return this.output.truncate(count); }
}

@inline function opened<T>(channel: i32, mode: i32, name: usize, nameLength: i32): usize {
  return <usize>fs_open(channel, mode, name, nameLength, sizeAsked<T>());
}

/** Opens a file in any mode as an object. */
@inline export function openFile<T = Host>(channel: i32, mode: i32, name: usize, nameLength: i32): File<T> {
  return changetype<File<T>>(opened<T>(channel, mode, name, nameLength));
}
/** The same for text in the source of the kernel. */
@inline export function openFileText<T = Host>(channel: i32, mode: i32, name: string): File<T> {
  return changetype<File<T>>(<usize>fs_open_text(channel, mode, changetype<usize>(name), name.length, sizeAsked<T>()));
}
@inline export function openRead<T = Host>(channel: i32, name: usize, nameLength: i32): ReadFile<T> {
  return changetype<ReadFile<T>>(opened<T>(channel, Mode.READ_ONLY, name, nameLength));
}
@inline export function openWrite<T = Host>(channel: i32, name: usize, nameLength: i32): WriteFile<T> {
  return changetype<WriteFile<T>>(opened<T>(channel, Mode.WRITE_ONLY, name, nameLength));
}
@inline export function openAppend<T = Host>(channel: i32, name: usize, nameLength: i32): WriteFile<T> {
  return changetype<WriteFile<T>>(opened<T>(channel, Mode.APPEND_ONLY, name, nameLength));
}
/** Opens a file for the whole work group: every member makes this call, and every later one for the file. */
@inline export function openFileTogether<T = Host>(channel: i32, mode: i32, name: usize, nameLength: i32): File<T> {
  return changetype<File<T>>(opened<T>(channel, mode | TOGETHER, name, nameLength));
}

/** The status of the latest call on a channel, \`Status.OK\` if it went well. */
@inline export function lastError(channel: i32): i32 { return fs_last_error(channel); }
/** Whether the latest read on a channel came to the end of its file. */
@inline export function atEnd(channel: i32): bool { return fs_eof(channel) == 1; }
/** Address of the buffer of a channel. */
@inline export function ioBuffer(channel: i32): usize { return fs_io_buffer(channel); }
/** Elements in that buffer. */
@inline export function maxCount<T = Host>(): i32 { return fs_max_count() * fs_element_size() / sizeOf<T>(); }
@inline export function channelCount(): i32 { return fs_channel_count(); }
/** Aborts the host: what runs is finished, what waits is dropped, and the launches of the host end. */
@inline export function abortHost(): void { fs_abort(); }

/** What is known of a name: 24 bytes, which \`stat\` fills. */
@unmanaged export class FileFacts {
  bytes: f64;
  /** Milliseconds since 1970, or NaN. */
  modified: f64;
  /** 1: a file, 2: a directory. */
  kind: i32;
}
@inline export function stat(channel: i32, name: usize, nameLength: i32, facts: FileFacts): i32 {
  return fs_stat(channel, name, nameLength, changetype<usize>(facts));
}
/** Bytes of the names in a directory, each one followed by a 0; they are written to \`to\` if \`capacity\` is enough. */
@inline export function list(channel: i32, name: usize, nameLength: i32, to: usize, capacity: i32): i64 {
  return <i64>fs_list(channel, name, nameLength, to, capacity);
}
@inline export function remove(channel: i32, name: usize, nameLength: i32): i32 { return fs_remove(channel, name, nameLength); }
@inline export function mkdir(channel: i32, name: usize, nameLength: i32): i32 { return fs_mkdir(channel, name, nameLength); }

/** A queued read or write of the file with a handle: 48 bytes at a multiple of 8. */
@unmanaged export class Transfer {
  private state: i32;
  private fn: i32;
  private handle: i32;
  private pointer: usize;
  private count: i32;
  private whence: i32;
  private offset: f64;
  /** When it is done: elements, or a negative status. */
  result: f64;
  private reserved: f64;
  @inline get done(): bool { return atomic.load<i32>(changetype<usize>(this)) == 2; }
  /** Waits at most \`timeout\` milliseconds: 1, or 0 if it is not done, or a negative status. */
  @inline wait(timeout: f64 = Infinity): i32 { return this.done ? 1 : fs_wait(changetype<usize>(this), timeout); }
  @inline queue(fn: i32, handle: i32, pointer: usize, count: i32, whence: i32, offset: i64): void {
    this.fn = fn;
    this.handle = handle;
    this.pointer = pointer;
    this.count = count;
    this.whence = whence;
    this.offset = <f64>offset;
    atomic.store<i32>(changetype<usize>(this), 1);
  }
  @inline read(handle: i32, to: usize, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): void {
    this.queue(2, handle, to, count, whence, offset);
  }
  @inline write(handle: i32, from: usize, count: i32, whence: i32 = Whence.CURRENT, offset: i64 = 0): void {
    this.queue(3, handle, from, count, whence, offset);
  }
}
/** Transfer \`i\` of a batch at \`at\`. */
@inline export function transfer(at: usize, i: i32): Transfer { return changetype<Transfer>(at + 48 * <usize>i); }
/** Does the first \`count\` queued transfers at \`at\`, all of files of one channel, with one call: how many it did. */
@inline export function batch(channel: i32, at: usize, count: i32): i32 { return fs_batch(channel, at, count); }
/** Begins to do them: 0, or a negative status. The channel is taken until \`finish\`. */
@inline export function submit(channel: i32, at: usize, count: i32): i32 { return fs_submit(channel, at, count); }
/** Waits until all are done: how many. */
@inline export function finish(channel: i32): i32 { return fs_finish(channel); }

/** Reads a file in order, while the part after the one in use is read ahead: 64 bytes at a multiple of 8. */
@unmanaged export class Stream<T> {
  // a transfer comes first
  private t0: i64; private t1: i64; private t2: i64; private t3: i64; private t4: i64; private t5: i64;
  private file: i32;
  private channel: i32;
  private place: i64;
  @inline get ahead(): Transfer { return changetype<Transfer>(changetype<usize>(this)); }
  @inline get half(): i32 { return maxCount<T>() / 2; }
  /** Address of the part that \`next\` gave. */
  @inline get data(): usize { return this.partAt(<i32>(this.place >> 62 & 1) ^ 1); }
  @inline private partAt(turn: i32): usize { return fs_io_buffer(this.channel) + <usize>(turn * this.half) * sizeOf<T>(); }
  @inline private get from(): i64 { return this.place & 0x3fff_ffff_ffff_ffff; }
  /** Begins at element \`from\` of a file of \`channel\`, whose buffer and calls are those of the stream until \`stop\`. */
  @inline start(channel: i32, file: ReadFile<T>, from: i64 = 0): i32 {
    this.file = file.handle;
    this.channel = channel;
    this.place = from;
    return this.half == 0 ? -<i32>Status.TOO_BIG : this.readAhead(0); // two parts need a buffer of two elements
  }
  @inline private readAhead(turn: i32): i32 {
    this.ahead.queue(2, this.file, this.partAt(turn), this.half, Whence.BEGIN, this.from);
    return submit(this.channel, changetype<usize>(this), 1);
  }
  /** Elements of the next part, 0 at the end, or a negative status. */
  next(): i32 {
    const finished = finish(this.channel);
    if (finished < 0) return finished;
    const got = <i32>this.ahead.result;
    if (got < 0) return got;
    const turn = <i32>(this.place >> 62 & 1) ^ 1;
    this.place = (this.from + <i64>got) | <i64>turn << 62;
    const begun = this.readAhead(turn);
    return begun < 0 ? begun : got;
  }
  @inline stop(): i32 { return finish(this.channel); }
}

/** Waits until all members of the work group are here: 0, or a negative status if the group has ended. */
@inline export function barrier(): i32 { return group_barrier(); }
/** The value that member 0 gives, for all members. */
@inline export function share(value: f64): f64 { return group_share(value); }
/** The number of this member in its group, from 0. */
@inline export function localId(): i32 { return group_local(); }
@inline export function groupSize(): i32 { return group_size(); }
@inline export function groupId(): i32 { return group_id(); }
@inline export function groupCount(): i32 { return group_count(); }
`;

// The library that kernels in AssemblyScript import as `tilewise/channels`: declarations of the imported functions, made from
// their table, the numbers of modes and statuses, and classes over them.

/** A part of the library: the functions that it imports, and what it makes of them. */
export interface LibraryPart {
  /** Parameters and result of each imported function. */
  readonly imports: Readonly<Record<string, ImportRow>>;
  /** AssemblyScript. */
  readonly text: string;
}

/** Files and work groups. */
export const FILE_LIBRARY: LibraryPart = { imports: FILE_IMPORTS, text: FILE_LIBRARY_TEXT };

/**
 * The library of these parts.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * const { name, text } = channelLibrary();
 * assert(name === "tilewise/channels" && text.includes("export function lastError"));
 * ```
 */
export function channelLibrary(parts: readonly LibraryPart[] = [FILE_LIBRARY]): Library {
  const rows = parts.flatMap(({ imports }) => Object.entries(imports));
  const text = [...rows.map(declaration), NUMBERS, ...parts.map(({ text }) => text)].join("\n");
  return { name: "tilewise/channels", text, module: IMPORT_MODULE, functions: rows.map(([name]) => name) };
}

function declaration([name, [parameters, result]]: readonly [string, ImportRow]): string {
  return `@external("${IMPORT_MODULE}", "${name}") declare function ${name}(${parameters}): ${result};`;
}

const NUMBERS = [
  enumOf("Mode", Object.fromEntries(MODE_NAMES.map((name, number) => [name, number]))),
  enumOf("Whence", WHENCE),
  enumOf("Status", STATUS),
  `/** Added to a mode: all members of the work group open the file. */\nexport const TOGETHER = ${TOGETHER};`,
].join("\n");

function enumOf(name: string, members: Readonly<Record<string, number>>): string {
  const rows = Object.entries(members).map(([key, n]) => `${key.replaceAll("-", "_").toUpperCase()} = ${n}`);
  return `export const enum ${name} { ${rows.join(", ")} }`;
}
