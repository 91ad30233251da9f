/**
 * The calls that are about a name, not about an open file: `stat`, `list`, `remove`, `mkdir`, `rename`.
 *
 * @module
 */

import type { Awaitable, BackEnd, FileFacts } from "../backends/back_end.ts";
import { STATUS } from "../protocol/status.ts";
import { STAT } from "./calls.ts";
import type { KernelBytes } from "./kernel_bytes.ts";
import { named, nameList } from "./names.ts";
import { after } from "./soon.ts";

/** Names of one back end, for kernels in one memory. */
export class Folders {
  /** Answers are written to `kernel`. */
  constructor(readonly files: BackEnd, readonly kernel: KernelBytes) {}

  /** See `FileCallsOf.stat`. */
  stat(name: Uint8Array, pointer: number): Awaitable<number> {
    if (!this.kernel.has(pointer, STAT.length)) return -STATUS.invalid;
    return named(name, (text) => after(this.files.stat(text), (facts) => this.#writeFacts(pointer, facts)));
  }

  #writeFacts(pointer: number, { bytes, kind, modified }: FileFacts): number {
    const { buffer, byteOffset } = this.kernel.all;
    const record = new DataView(buffer, byteOffset + pointer, STAT.length);
    record.setFloat64(STAT.bytes, bytes, true);
    record.setFloat64(STAT.modified, modified ?? NaN, true);
    record.setFloat64(STAT.kind, 0, true);
    record.setInt32(STAT.kind, kind === "file" ? STAT.file : STAT.directory, true);
    return 0;
  }

  /** See `FileCallsOf.list`. */
  list(name: Uint8Array, pointer: number, capacity: number): Awaitable<number> {
    if (!this.kernel.has(pointer, capacity)) return -STATUS.invalid;
    return named(name, (text) =>
      after(this.files.list(text), (names) => {
        const bytes = nameList(names);
        if (bytes.length <= capacity) this.kernel.all.set(bytes, pointer);
        return bytes.length;
      }));
  }

  /** See `FileCallsOf.remove`. */
  remove(name: Uint8Array): Awaitable<number> {
    return named(name, (text) => after(this.files.remove(text), () => 0));
  }

  /** See `FileCallsOf.mkdir`. */
  mkdir(name: Uint8Array): Awaitable<number> {
    return named(name, (text) => after(this.files.mkdir(text), () => 0));
  }

  /** See `FileCallsOf.rename`. */
  rename(name: Uint8Array, to: Uint8Array): Awaitable<number> {
    if (!this.files.rename) return -STATUS.unsupported;
    return named(name, (from) => named(to, (target) => after(this.files.rename!(from, target), () => 0)));
  }
}
