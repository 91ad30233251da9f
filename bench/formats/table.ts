/**
 * The table of formats: every one that LiberTEM reads, about 256 MiB of samples each; of K2IS, whose camera
 * fills that in a tenth of a second and whose results are 29 MiB per partition, 512 frames.
 *
 * @module
 */

import { frms6, k2is, mibRaw, tvips } from "./detectors.ts";
import { blo, csr, dm, empad, mib, mrc, npy, seq, ser } from "./plain.ts";
import type { FormatRow, Scan } from "./row.ts";

const COUNTS: Scan = { nav: [32, 64], sig: [256, 256], dtype: "uint16" };
const BYTES: Scan = { nav: [64, 64], sig: [256, 256], dtype: "uint8" };
const LARGE: Scan = { nav: [16, 32], sig: [512, 512], dtype: "uint16" };
const LARGE_BYTES: Scan = { nav: [32, 32], sig: [512, 512], dtype: "uint8" };
const FLOATS: Scan = { nav: [16, 16], sig: [512, 512], dtype: "float32" };
const FOLDED: Scan = { nav: [40, 48], sig: [264, 264], dtype: "uint16" };
/** Four dimensions of which chunks can have a part each. */
const CUBE: Scan = { nav: [64, 128], sig: [128, 128], dtype: "uint16" };

const nav = (scan: Scan) => ({ nav_shape: scan.nav });
const hdf5 = (name: string): FormatRow => ({
  name: `hdf5-${name}`,
  scan: CUBE,
  files: [".h5"],
  load: { type: "hdf5", params: { ds_path: "data" } },
});

/** All rows. */
export const FORMATS: readonly FormatRow[] = [
  {
    name: "k2is",
    scan: { nav: [16, 32], sig: [1860, 2048], dtype: "uint16" },
    files: [...[1, 2, 3, 4, 5, 6, 7, 8].map((sector) => `_${sector}.bin`), "_.gtg"],
    write: k2is,
    open: { nav: [16, 32] },
    load: { type: "k2is", params: { nav_shape: [16, 32], sync_offset: 0 } },
  },
  ...["frms6", "frms6-corrected"].map((name): FormatRow => ({
    name,
    stem: "frms6",
    scan: FOLDED,
    files: [".hdr", "_000.frms6", "_001.frms6"],
    write: frms6,
    uncorrected: name === "frms6",
    load: { type: "frms6", params: { enable_offset_correction: name !== "frms6", ...nav(FOLDED) } },
  })),
  ...([[1, 1], [6, 1], [12, 1], [1, 4], [6, 4], [12, 4]] as const).map(([bits, chips]): FormatRow => {
    const scan = bits === 12 ? chips === 4 ? LARGE : COUNTS : chips === 4 ? LARGE_BYTES : BYTES;
    return {
      name: `mib-r${bits}${chips === 4 ? "-quad" : ""}`,
      scan,
      files: [".mib"],
      write: mibRaw(bits, chips),
      most: 2 ** bits - 1,
      open: { nav: scan.nav },
      load: { type: "mib", params: { disable_glob: true, ...nav(scan) } },
    };
  }),
  {
    name: "mib-u16",
    scan: COUNTS,
    files: [".mib"],
    write: mib,
    open: { nav: COUNTS.nav },
    load: { type: "mib", params: { disable_glob: true, ...nav(COUNTS) } },
  },
  {
    name: "tvips",
    scan: LARGE,
    files: ["_000.tvips"],
    write: tvips,
    load: { type: "tvips", params: nav(LARGE) },
  },
  ...([3, 4] as const).map((dimensions): FormatRow => ({
    name: dimensions === 3 ? "dm4-stack" : "dm4-4d",
    scan: COUNTS,
    files: [".dm4"],
    write: dm(dimensions),
    open: { nav: COUNTS.nav },
    load: { type: "dm", params: { force_c_order: true, ...nav(COUNTS) } },
  })),
  {
    name: "empad",
    scan: { nav: [64, 64], sig: [128, 128], dtype: "float32" },
    files: [".raw"],
    write: empad,
    open: { format: "empad", nav: [64, 64] },
    load: { type: "empad", params: { nav_shape: [64, 64] } },
  },
  {
    name: "ser",
    scan: COUNTS,
    files: [".ser"],
    write: ser,
    load: { type: "ser", params: {} },
  },
  {
    name: "blo",
    scan: { nav: [112, 112], sig: [144, 144], dtype: "uint8" },
    files: [".blo"],
    write: blo,
    most: 255,
    load: { type: "blo", params: {} },
  },
  {
    name: "mrc",
    scan: FLOATS,
    files: [".mrc"],
    write: mrc,
    open: { nav: FLOATS.nav },
    load: { type: "mrc", params: {} },
  },
  {
    name: "seq",
    scan: LARGE,
    files: [".seq"],
    write: seq,
    open: { nav: LARGE.nav },
    load: { type: "seq", params: nav(LARGE) },
  },
  { name: "npy", scan: COUNTS, files: [".npy"], write: npy, load: { type: "npy", params: {} } },
  {
    name: "csr",
    scan: COUNTS,
    files: [".toml", ".indptr", ".indices", ".data"],
    write: csr,
    load: { type: "raw_csr", params: {} },
  },
  ...["contiguous", "chunks", "deflate", "deflate-4x4", "bslz4", "bslz4-4x4", "lzf"].map(hdf5),
];
