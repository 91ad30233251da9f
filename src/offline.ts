/**
 * All packages that are otherwise fetched when they are first needed. `deno cache` of this module fetches all of them, for a
 * machine without a network; importing this module loads none of them.
 *
 * @module
 */

/**
 * How each package is loaded.
 * @category Packages
 */
export const PACKAGES_AHEAD: Readonly<Record<string, () => Promise<unknown>>> = {
  "assemblyscript/asc": () => import("assemblyscript/asc"),
  "aws4fetch": () => import("aws4fetch"),
  "fflate": () => import("fflate"),
  "h5wasm": () => import("h5wasm"),
  "lerc": () => import("lerc"),
  "numcodecs/zstd": () => import("numcodecs/zstd"),
  "smol-toml": () => import("smol-toml"),
};
