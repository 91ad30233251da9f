/** Appends records to a file in shared memory: its number, and a count. */

import { MemoryFiles } from "../../../src/channels/backends/memory.ts";
import type { MemoryRegion } from "../../../src/channels/backends/memory_tables.ts";

interface Work {
  readonly memory: WebAssembly.Memory;
  readonly place: MemoryRegion;
  readonly index: number;
  readonly records: number;
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<Work>) => void;
  postMessage(done: true): void;
};

scope.onmessage = ({ data: { memory, place, index, records } }) => {
  const files = new MemoryFiles(memory, place);
  const file = files.open("log", "a");
  const record = new Uint32Array(1);
  for (let i = 0; i < records; i++) {
    record[0] = index << 16 | i;
    files.write(file, new Uint8Array(record.buffer), 0, 4, null);
  }
  scope.postMessage(true);
};
