/**
 * The compressions of TIFF by their numbers: what they are called, and how they are undone.
 *
 * @module
 */

/** How a compression is undone. */
export interface Compression {
  /** What it is called. */
  readonly name: string;
  /** The chunk filter that undoes it; absent: none is needed, or there is none. */
  readonly filter?: string;
  /** Whether the order of bits in bytes is its own matter; else the fill order of the file holds for it. */
  readonly hasOrder?: boolean;
  /** Most bytes that come out per byte; absent if there is no useful bound. */
  readonly most?: number;
}

const undoneBy = (name: string, filter: string, most?: number): Compression => ({
  name,
  filter,
  ...(most === undefined ? {} : { most }),
});

/** Number of no compression. */
const NONE = 1;

/** Compressions by their numbers; those without a filter are not read, except for none. */
const COMPRESSIONS: Readonly<Record<number, Compression>> = {
  1: { name: "none", most: 1 },
  2: { name: "CCITT RLE", filter: "ccitt", hasOrder: true },
  3: { name: "CCITT G3", filter: "ccitt", hasOrder: true },
  4: { name: "CCITT G4", filter: "ccitt", hasOrder: true },
  5: undoneBy("LZW", "lzw", 4096),
  6: { name: "JPEG (old style)" },
  7: { name: "JPEG", filter: "jpeg", most: 2048, hasOrder: true },
  8: undoneBy("deflate", "deflate", 1032),
  9: { name: "JBIG" },
  10: { name: "JBIG colour" },
  22610: { name: "JPEG XR (NDPI)" },
  32766: { name: "NeXT" },
  32771: { name: "CCITT RLE/W" },
  32773: undoneBy("PackBits", "packbits", 64),
  32809: { name: "ThunderScan" },
  32908: { name: "Pixar film" },
  32909: { name: "Pixar log" },
  32946: undoneBy("deflate", "deflate", 1032),
  32947: { name: "Kodak DCS" },
  33003: { name: "JPEG 2000 (Aperio, YCbCr)" },
  33004: { name: "JPEG 2000 (Aperio, lossy)" },
  33005: { name: "JPEG 2000 (Aperio, RGB)" },
  33007: { name: "JPEG (Alt)" },
  34661: { name: "JBIG" },
  34676: { name: "SGILOG" },
  34677: { name: "SGILOG 24" },
  34712: { name: "JPEG 2000" },
  34887: { name: "LERC", filter: "lerc" },
  34892: { name: "JPEG (DNG, lossy)" },
  34925: undoneBy("LZMA", "lzma", 2 ** 14),
  34926: undoneBy("Zstandard", "Zstandard", 2 ** 17),
  34927: { name: "WebP", filter: "webp" },
  34933: { name: "PNG" },
  34934: { name: "JPEG XR" },
  48124: { name: "Jetraw" },
  50000: undoneBy("Zstandard", "Zstandard", 2 ** 17),
  50001: { name: "WebP", filter: "webp" },
  50002: { name: "JPEG XL" },
  52546: { name: "JPEG XL (DNG)" },
  65000: { name: "EER" },
  65001: { name: "EER" },
  65002: { name: "EER" },
};

/** What is known about the compression `number`. */
export function compressionOf(number: number): Compression {
  return COMPRESSIONS[number] ?? { name: `number ${number}` };
}

/** Names of the compressions whose filters are among `filters`. */
export function readNames(filters: readonly string[]): string[] {
  const names = Object.entries(COMPRESSIONS).filter(([number, { filter }]) =>
    filter === undefined ? Number(number) === NONE : filters.includes(filter)
  );
  return [...new Set(names.map(([, { name }]) => name))];
}

/** Compressions whose filters stop where the rows that exist are complete: none, LZW, PackBits. */
export const STOPPING: ReadonlySet<number> = new Set([1, 5, 32773]);
