/**
 * The built page as the package for npm has it: all files in one, packed together, without what users install themselves.
 *
 * @module
 */

import { brotliCompressSync, constants, gunzipSync } from "node:zlib";
import { ADDED_WHEN_NEEDED } from "./manifest.ts";

/** Where `tilewise view` looks for it. */
export const PAGE = "web/dist/page.json.br";

/** The page of a `page.json`; page and workers share most of their code, which only one archive for all sees. */
export function packedPage(json: string): Uint8Array {
  const texts = Object.entries<string>(JSON.parse(json)).flatMap(([path, packed]) => {
    const isAdded = ADDED_WHEN_NEEDED.some((name) => path.endsWith(`/package-${name}.js`));
    return isAdded ? [] : [[path, gunzipSync(Uint8Array.fromBase64(packed)).toString()]];
  });
  const text = JSON.stringify(Object.fromEntries(texts));
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9, // 11 has 11 % less, in 20 s
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
}
