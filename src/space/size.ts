/**
 * Byte counts in text, such as `512 MiB`.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/**
 * Bytes in the largest unit that keeps the number at 1 or above.
 *
 * @example
 * ```ts
 * import { formatBytes } from "@tilewise/tilewise/unstable/arrays";
 * import { assertEquals } from "@std/assert";
 * assertEquals(formatBytes(1536), "1.5 KiB");
 * assertEquals(formatBytes(512 * 2 ** 20), "512 MiB");
 * ```
 * @category Arrays
 */
export function formatBytes(bytes: number): string {
  let unit = 0;
  while (Math.abs(bytes) >= 1023.95 && unit < UNITS.length - 1) { // 1023.95 would be shown as 1024.0
    bytes /= 1024;
    unit++;
  }
  return `${Number.isInteger(bytes) ? bytes : bytes.toFixed(1)} ${UNITS[unit]}`;
}

/**
 * The bytes in text such as `256MiB`, `1.5 GiB`, `4096`; `k`, `M`, `G` alone also count in steps of 1024,
 * `kB`, `MB`, `GB` in steps of 1000.
 *
 * @example
 * ```ts
 * import { parseBytes } from "@tilewise/tilewise/unstable/arrays";
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseBytes("256MiB"), 268435456);
 * assertEquals(parseBytes("1.5GB"), 1500000000);
 * ```
 * @category Arrays
 */
export function parseBytes(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgtp]?)(i?b)?\s*$/i.exec(text);
  if (!match) {
    const hint = /^\s*\d+,\d/.test(text) ? ", with a point for decimals, as in 1.5GiB" : "";
    throw new TilewiseError("invalid", `Cannot read size "${text}"; write sizes like 256MiB${hint}`, {
      found: text,
    });
  }
  const step = match[3]?.toLowerCase() === "b" && match[2] ? 1000 : 1024;
  const power = " kmgtp".indexOf(match[2]?.toLowerCase() || " ");
  return Math.round(Number(match[1]) * step ** power);
}
