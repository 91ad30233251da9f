/** A job that reads a file through a channel. */

import { type ChannelLayout, fileCalls, type NameAt } from "@tilewise/tilewise/channels";

/** Where things are in the memory. */
interface Places {
  readonly layout: ChannelLayout;
  /** The name of the file. */
  readonly name: NameAt;
  /** Where samples go. */
  readonly room: NameAt;
}

/** Tells what is in 8 samples of two bytes, from number 1000 on. */
export function reader({ layout, name, room }: Places, { memory }: { readonly memory: WebAssembly.Memory }) {
  const bytes = new Uint8Array(memory.buffer, name.offset, name.byteLength).slice();
  const calls = fileCalls("rpc", memory, layout);
  return {
    run(first: number): string {
      const handle = calls.open(0, 0, bytes);
      const count = calls.read(handle, room.offset, 8, 0, first);
      const samples = new Uint16Array(memory.buffer, room.offset, 8).join();
      return `${calls.size(handle)} samples, ${count} of them: ${samples}, ${calls.close(handle)}`;
    },
  };
}
