/** Scans in files, whose pages can be mapped. */

import { StoredDataset } from "../../../src/dataset/dataset.ts";
import { FileSource } from "../../../src/io/file/file.ts";
import type { BytesSpec } from "../../../src/io/source/source.ts";

/** A scan in memory as a file in `folder`, with `headerBytes` in front. */
export function inFile(scan: StoredDataset, folder: string, headerBytes = 0): StoredDataset {
  const { layout } = scan;
  const { bytes } = layout.files[0]!.source as BytesSpec;
  const path = `${folder}/${crypto.randomUUID()}.raw`;
  const stored = new Uint8Array(headerBytes + bytes.length).fill(0x7b);
  stored.set(bytes, headerBytes);
  Deno.writeFileSync(path, stored);
  const files = [{ ...layout.files[0]!, source: FileSource.open(path).describe(), headerBytes }];
  const { source, detection, navShape, syncOffset } = scan;
  return new StoredDataset({ source, detection, navShape, syncOffset, layout: { ...layout, files } });
}
