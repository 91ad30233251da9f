/**
 * The library that kernels in AssemblyScript import as `tilewise/channels`: declarations of the imported functions, made from
 * their table, the numbers of modes and statuses, and classes over them.
 *
 * @module
 */

import { STATUS } from "../protocol/status.ts";
import { TOGETHER } from "./group_calls.ts";
import { FILE_IMPORTS, IMPORT_MODULE, type ImportRow } from "./import_table.ts";
import { FILE_LIBRARY_TEXT } from "./library_text.ts";
import { MODE_NAMES, WHENCE } from "./modes.ts";

/** A part of the library: the functions that it imports, and what it makes of them. */
export interface LibraryPart {
  /** Parameters and result of each imported function. */
  readonly imports: Readonly<Record<string, ImportRow>>;
  /** AssemblyScript. */
  readonly text: string;
}

/** A library, as the compiler of kernels takes it. */
export interface ChannelLibrary {
  /** The name by which sources import it. */
  readonly name: string;
  /** Its source. */
  readonly text: string;
  /** The name of the module from which the compiled kernel imports. */
  readonly module: string;
  /** What there is to import. */
  readonly functions: readonly string[];
}

/** Files and work groups. */
export const FILE_LIBRARY: LibraryPart = { imports: FILE_IMPORTS, text: FILE_LIBRARY_TEXT };

/**
 * The library of these parts.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * const { name, text } = channelLibrary();
 * assert(name === "tilewise/channels" && text.includes("export function lastError"));
 * ```
 */
export function channelLibrary(parts: readonly LibraryPart[] = [FILE_LIBRARY]): ChannelLibrary {
  const rows = parts.flatMap(({ imports }) => Object.entries(imports));
  const text = [...rows.map(declaration), NUMBERS, ...parts.map(({ text }) => text)].join("\n");
  return { name: "tilewise/channels", text, module: IMPORT_MODULE, functions: rows.map(([name]) => name) };
}

function declaration([name, [parameters, result]]: readonly [string, ImportRow]): string {
  return `@external("${IMPORT_MODULE}", "${name}") declare function ${name}(${parameters}): ${result};`;
}

const NUMBERS = [
  enumOf("Mode", Object.fromEntries(MODE_NAMES.map((name, number) => [name, number]))),
  enumOf("Whence", WHENCE),
  enumOf("Status", STATUS),
  `/** Added to a mode: all members of the work group open the file. */\nexport const TOGETHER = ${TOGETHER};`,
].join("\n");

function enumOf(name: string, members: Readonly<Record<string, number>>): string {
  const rows = Object.entries(members).map(([key, n]) => `${key.replaceAll("-", "_").toUpperCase()} = ${n}`);
  return `export const enum ${name} { ${rows.join(", ")} }`;
}

/** Files and work groups alone, as a library. */
export const CHANNEL_LIBRARY: ChannelLibrary = channelLibrary();
