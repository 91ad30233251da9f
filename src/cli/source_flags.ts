/**
 * The flags that say how to open a source, for every verb that opens one.
 *
 * @module
 */

import { parseDType } from "../space/dtype.ts";
import { TilewiseError } from "../errors.ts";
import { parseShape } from "../space/shape.ts";
import type { Arguments } from "./args.ts";
import type { Flag } from "./verb.ts";

/** The flags. */
export const SOURCE_FLAGS: readonly Flag[] = [
  { name: "format", value: "NAME", help: "read it as this format, such as mib, npy, raw" },
  { name: "array", value: "NAME", help: "the array of that name, where a source has several" },
  { name: "level", value: "N", help: "the resolution level, 0 is full" },
  { name: "nav", value: "AxB", help: "shape of the scan" },
  { name: "sig", value: "CxD", help: "shape of a frame" },
  { name: "sync-offset", value: "N", help: "frames to skip at the start; negative: blank positions" },
  { name: "dtype", value: "NAME", help: "raw: type of the samples, such as uint16" },
  { name: "byte-order", value: "ORDER", help: "raw: little or big" },
  { name: "header-bytes", value: "N", help: "raw: bytes before the first frame" },
  { name: "frame-header-bytes", value: "N", help: "raw: bytes before each frame" },
  { name: "frame-footer-bytes", value: "N", help: "raw: bytes after each frame" },
  { name: "bits", value: "N", help: "raw: bits of a packed sample: 1, 4 or 12" },
];
