/**
 * The files of a kernel in TypeScript, and of a UDF: what `tilewise/channels` is for kernels in AssemblyScript.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { FileFacts } from "../backends/back_end.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { truth, whole } from "../../options/rules.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import { STATUS, statusError } from "../protocol/status.ts";
import { type FileCalls, STAT } from "./calls.ts";
import { MAX_ELEMENT_BYTES } from "./file_table.ts";
import { type Group, groupCalls, TOGETHER } from "./group.ts";
import { type KernelFile, OpenKernelFile } from "./kernel_file.ts";
import { KernelRoom } from "./batch_reads.ts";
import { MODE_NAMES, type ModeName, modeNumber } from "./modes.ts";

/**
 * What a name stands for.
 * @category Channels
 */
export type NameFacts = FileFacts;

/**
 * How a kernel opens a file.
 * @category Channels
 */
export interface OpenFileOptions {
  /** Bytes of an element. Default: those of the host. */
  readonly elementSize?: number;
  /** Whether all members of the work group open it together: each makes all calls for it. Default false. */
  readonly together?: boolean;
}

/**
 * Files as a kernel sees them. Errors of all calls are typed by their status: `not-found`, `not-a-file`, `permission`, `invalid`,
 * `io`, `aborted`, `worker`.
 * @category Channels
 */
export interface KernelFiles {
  /** Opens a file; what it can do follows from the mode. */
  open<M extends ModeName>(name: string, mode: M, options?: OpenFileOptions): KernelFile<M>;
  /** What a name stands for. */
  stat(name: string): NameFacts;
  /** The names in a directory, in the order of their code units. They must fit in the buffer of the channel. */
  list(name: string): string[];
  /** Removes a file or an empty directory. */
  remove(name: string): void;
  /** Makes a directory in one that exists. */
  mkdir(name: string): void;
}

/**
 * The files of the kernel that uses `channel`, over `calls`; with a `group`, files can be opened together. Launched kernels and
 * UDFs get them as `files`.
 *
 * @example The third number of a file, by a kernel in a module
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { launchKernel, startHost } from "@tilewise/tilewise/channels";
 * import { assertEquals } from "@std/assert";
 * const source = `export function third({ files, args: [path] }) {
 *   using file = files.open(path, "read_only");
 *   const number = new Uint8Array(1);
 *   return [file.read(number, { offset: 2 }), number[0]];
 * }`;
 * const path = await Deno.makeTempFile();
 * await Deno.writeFile(path, Uint8Array.of(2, 3, 5, 7));
 * await using context = createContext({ memory: "1MiB", workers: 1 });
 * await using host = await startHost(context, { channels: 1, bufferLength: 64, type: "uint8" });
 * const kernel = { module: `data:text/javascript,${encodeURIComponent(source)}`, export: "third" };
 * const { groups } = await launchKernel(host, kernel, { args: [path] });
 * assertEquals<unknown>(groups[0]?.values, [[1, 5]]);
 * ```
 * @category Channels
 */
export function kernelFiles(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  calls: FileCalls,
  channel: number,
  group?: Group,
): KernelFiles {
  if (!(Number.isInteger(channel) && channel >= 0 && channel < layout.channels)) {
    const text = `Cannot use channel ${channel}: the host has ${layout.channels}`;
    throw new TilewiseError("invalid", text, { option: "channel", found: channel });
  }
  return new FilesOfKernel(new KernelRoom(memory, layout, group ? groupCalls(calls, group) : calls, channel));
}

// deno-fmt-ignore: written by `deno task build`
const OPEN_OPTIONS: OptionNames<OpenFileOptions> = {
  elementSize: whole(1, MAX_ELEMENT_BYTES), together: truth,
};

class FilesOfKernel implements KernelFiles {
  constructor(private readonly room: KernelRoom) {}

  open<M extends ModeName>(name: string, mode: M, options?: OpenFileOptions): KernelFile<M>;
  open(name: string, mode: ModeName, options: OpenFileOptions = {}): OpenKernelFile {
    checkOptionNames("files.open()", options, OPEN_OPTIONS);
    const { elementSize, together = false } = options;
    if (!MODE_NAMES.includes(mode)) {
      const text = `Cannot open ${name}: there is no mode "${mode}"; there are ${MODE_NAMES.join(", ")}`;
      throw new TilewiseError("invalid", text, { found: String(mode) });
    }
    const number = modeNumber(mode) + (together ? TOGETHER : 0);
    const handle = this.room.calls.open(this.room.channel, number, encoded(name), elementSize);
    if (handle < 0) throw named(handle, "open", name);
    return new OpenKernelFile(this.room, handle, name, elementSize || this.room.layout.elementSize, together);
  }

  stat(name: string): NameFacts {
    const { room } = this;
    const status = room.calls.stat(room.channel, encoded(name), room.buffer);
    if (status < 0) throw named(status, "ask for", name);
    const record = new DataView(room.memory.buffer, room.buffer, STAT.length);
    const modified = record.getFloat64(STAT.modified, true);
    return {
      bytes: record.getFloat64(STAT.bytes, true),
      kind: record.getInt32(STAT.kind, true) === STAT.directory ? "directory" : "file",
      ...(Number.isNaN(modified) ? {} : { modified }),
    };
  }

  list(name: string): string[] {
    const { room } = this;
    const bytes = room.calls.list(room.channel, encoded(name), room.buffer, room.bufferBytes);
    if (bytes < 0) throw named(bytes, "list", name);
    if (bytes > room.bufferBytes) throw named(-STATUS["too-big"], `list (in ${bytes} bytes)`, name);
    return new TextDecoder().decode(room.bytes(room.buffer, bytes).slice()).split("\0").slice(0, -1);
  }

  remove(name: string): void {
    const status = this.room.calls.remove(this.room.channel, encoded(name));
    if (status < 0) throw named(status, "remove", name);
  }

  mkdir(name: string): void {
    const status = this.room.calls.mkdir(this.room.channel, encoded(name));
    if (status < 0) throw named(status, "make the directory", name);
  }
}

function named(status: number, verb: string, name: string): TilewiseError {
  const { code, message, details } = statusError(status, `${verb} ${name}`);
  return new TilewiseError(code, message, { ...details, file: name });
}

/** UTF-8; half a surrogate pair gives a byte that no name has. */
function encoded(name: string): Uint8Array {
  return name.isWellFormed() ? new TextEncoder().encode(name) : Uint8Array.of(255);
}
