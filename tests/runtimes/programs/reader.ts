/** A kernel that reads a file through a channel. */

import type { Member } from "@tilewise/tilewise/unstable/channels";

/** Tells what is in 8 samples of two bytes, from a number on. */
export function reader({ args: [name, first], files }: Member<readonly [string, number]>): string {
  const file = files.open(name, "read_only"), samples = new Uint16Array(8);
  const count = file.read(samples, { offset: first }), { size } = file;
  file.close();
  return `${size} samples, ${count} of them: ${samples.join()}`;
}
