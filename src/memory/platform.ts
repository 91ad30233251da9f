/**
 * Whether this platform can run kernels at all, asked before anything else can fail.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { reasonOf } from "../reason.ts";

/** A module of one function that uses a vector of 128 bits. */
// deno-fmt-ignore
const VECTORS: Uint8Array<ArrayBuffer> = Uint8Array.of(
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // the first bytes of all modules
  1, 5, 1, 0x60, 0, 1, 0x7b, // a type: no parameters, one v128
  3, 2, 1, 0, // a function of that type
  10, 10, 1, 8, 0, 0x41, 0, 0xfd, 0x0f, 0xfd, 0x62, 0x0b, // its code: i32.const 0, i8x16.splat, i8x16.popcnt
);

let isKnown = false;

/**
 * Throws `unsupported` unless WebAssembly with vectors of 128 bits is there and may be compiled; asks once.
 *
 * @example
 * ```ts
 * mustRunKernels(); // Deno can
 * ```
 */
export function mustRunKernels(): void {
  if (isKnown) return;
  const found = missing();
  if (found) throw found;
  isKnown = true;
}

function missing(): TilewiseError | undefined {
  if (typeof WebAssembly === "undefined") {
    return unsupported("WebAssembly, which this browser or its settings do not offer; use another browser");
  }
  if (!WebAssembly.validate(VECTORS)) {
    const text =
      "WebAssembly with 128-bit SIMD, which this platform does not have: it takes Chrome 91, Firefox 89, " +
      "Safari 16.4, Deno, Node 20 or Bun, and an x86 processor with SSE4.1 or an ARM processor of 64 bits";
    return unsupported(text);
  }
  try {
    new WebAssembly.Module(VECTORS);
    return undefined;
  } catch (cause) {
    const text =
      "to compile WebAssembly, which this page may not do: its Content-Security-Policy must have " +
      `"script-src … 'wasm-unsafe-eval'" (${reasonOf(cause)})`;
    return unsupported(text, "'wasm-unsafe-eval'", cause);
  }
}

function unsupported(text: string, expected: string = "WebAssembly SIMD", cause?: unknown): TilewiseError {
  const options = cause === undefined ? undefined : { cause };
  return new TilewiseError(
    "unsupported",
    `Cannot compute here: Tilewise needs ${text}`,
    { expected },
    options,
  );
}
