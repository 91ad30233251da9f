/**
 * The files of a host on any of its threads, from what its layout says of them.
 *
 * @module
 */

import { type Awaitable, type BackEnd, fileError, type SynchronousBackEnd } from "../backends/back_end.ts";
import { type FilePlace, filesAtOnce, openFiles } from "../backends/open_files.ts";
import { SYSTEM_FILES } from "../backends/stores.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import { Gate, HOST } from "../protocol/gate.ts";
import { cannot, TilewiseError } from "../../errors.ts";

const SYSTEM: FilePlace = { store: SYSTEM_FILES, offset: 0 };

function placeOf({ files }: ChannelLayout): FilePlace {
  return files as FilePlace | undefined ?? SYSTEM;
}

/** A folder below which a host serves files. */
interface DeclaredRoot {
  /** Its name as the user has written it. */
  readonly given: string;
  /** A name that the host takes for it. */
  readonly path: string;
}

/** The folders below which a host serves files; `undefined`: it was given none, and serves all that the runtime permits. */
export function declaredRoots(layout: ChannelLayout): readonly DeclaredRoot[] | undefined {
  const { store, roots, given } = placeOf(layout);
  if ("module" in store || store.kind !== "system") return [{ given: "/", path: "." }];
  return roots?.map((path, index) => ({ given: given?.[index] ?? path, path }));
}

/** The files of a host on a thread that can wait for them. */
export function filesOf(memory: WebAssembly.Memory, layout: ChannelLayout): Awaitable<BackEnd> {
  return openFiles(memory, placeOf(layout));
}

/** The files of a host on the thread that started it, beside its runners. Errors: `aborted` if it has been closed. */
async function filesOfOwner(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  what: string,
): Promise<BackEnd> {
  const gate = new Gate(layout.gate);
  const files = await openFiles(memory, placeOf(layout), false);
  if (gate.host !== HOST.open) {
    throw new TilewiseError("aborted", `Cannot ${what}: the host has been closed`);
  }
  return isInMemory(layout) ? gatedFiles(files as SynchronousBackEnd, gate) : files;
}

function isInMemory(layout: ChannelLayout): boolean {
  const { store } = placeOf(layout);
  return !("module" in store) && store.kind === "memory";
}

/**
 * All bytes of a file of a host. Errors: `not-found`, `permission` and the others of its back end; `changed` if it became shorter
 * meanwhile; `unsupported` where this thread cannot reach the files.
 */
export async function readHostFile(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const files = await filesOfOwner(memory, layout, `read ${name}`);
  const file = await files.open(name, "r");
  try {
    const size = await files.size(file);
    if (size === Infinity) {
      throw new TilewiseError("unsupported", `Cannot read all of ${name}: it has no end`);
    }
    const bytes = new Uint8Array(size);
    const got = await files.read(file, bytes, 0, size, 0);
    if (got === size) return bytes;
    const text = "it became shorter while it was read";
    throw cannot("read", name, "changed", text, { expected: size, found: got });
  } finally {
    await files.close(file);
  }
}

/** Makes or replaces a file of a host. Errors: those of its back end, `io` if it has no room. */
export async function writeHostFile(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const files = await filesOfOwner(memory, layout, `write ${name}`);
  const file = await files.open(name, "w");
  try {
    const put = await files.write(file, bytes, 0, bytes.length, 0);
    if (put === bytes.length) return;
    const text = `there was room for ${put} of ${bytes.length} bytes`;
    throw cannot("write", name, "io", text, { expected: bytes.length, found: put });
  } finally {
    await files.close(file);
  }
}

/** Back ends of users that were loaded on this thread, by the gate of their host. */
const loaded = new WeakMap<SharedArrayBuffer, SynchronousBackEnd>();

/**
 * Loads the files of a host on the thread of a kernel that will do its own I/O, where they are a module of a user: before
 * {@link filesOfKernel}, which cannot wait.
 */
export async function loadFilesOfKernel(memory: WebAssembly.Memory, layout: ChannelLayout): Promise<void> {
  if (!("module" in placeOf(layout).store) || loaded.has(layout.gate)) return;
  const files = await filesOf(memory, layout);
  if (files.synchronous) loaded.set(layout.gate, files as SynchronousBackEnd);
}

/** The files of a host on the thread of a kernel. Errors: `unsupported` where they can only be reached through a channel. */
export function filesOfKernel(memory: WebAssembly.Memory, layout: ChannelLayout): SynchronousBackEnd {
  const place = placeOf(layout);
  const files = filesAtOnce(memory, place) ?? loaded.get(layout.gate);
  if (files) return isInMemory(layout) ? gatedFiles(files, new Gate(layout.gate)) : files;
  const kind = "module" in place.store ? "those of a user" : place.store.kind;
  const text = `Cannot do the I/O of ${kind} files on the thread of the kernel: choose the route "rpc"`;
  throw new TilewiseError("unsupported", text, { option: "route", found: "direct", expected: "rpc" });
}

/** `files` as long as the host of `gate` is open: until a call has ended, their memory stays what it is. */
function gatedFiles(files: SynchronousBackEnd, gate: Gate): SynchronousBackEnd {
  let place = 0; // a thread that makes no calls takes none
  const during = <T>(work: () => T): T => {
    place ||= gate.place();
    if (!gate.enter(place)) {
      throw fileError("ESHUTDOWN", "Cannot use files in the memory of a host: it has been closed");
    }
    try {
      return work();
    } finally {
      gate.leave(place);
    }
  };
  return {
    synchronous: true,
    open: (name, flags) => during(() => files.open(name, flags)),
    close: (file) => during(() => files.close(file)),
    size: (file) => during(() => files.size(file)),
    read: (file, bytes, at, length, position) => during(() => files.read(file, bytes, at, length, position)),
    write: (file, bytes, at, length, position) =>
      during(() => files.write(file, bytes, at, length, position)),
    flush: (file) => during(() => files.flush(file)),
    truncate: (file, bytes) => during(() => files.truncate(file, bytes)),
    stat: (name) => during(() => files.stat(name)),
    list: (name) => during(() => files.list(name)),
    remove: (name) => during(() => files.remove(name)),
    mkdir: (name) => during(() => files.mkdir(name)),
  };
}
