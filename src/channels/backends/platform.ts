/**
 * The parts of `node:fs` and `node:path` that are used, loaded when they are first needed: pages have none.
 *
 * @module
 */

import type * as Fs from "node:fs";
import type * as Path from "node:path";
import { nodeModule } from "../../portable.ts";

/** The files of the operating system. */
export type NodeFs = typeof Fs;

/** What they know of a name, with whole numbers. */
export type BigFacts = Fs.BigIntStats;

/** Its paths. */
type NodePath = typeof Path;

/** Whether this thread has files of an operating system. */
export function hasNodeFiles(): boolean {
  return nodeModule("node:fs") !== undefined;
}

let files: NodeFs | undefined;

/** `node:fs`. */
export function nodeFs(): NodeFs {
  return files ??= nodeModule("node:fs")!;
}

/** For tests: other calls on this thread until the result is disposed of. */
export function replaceNodeFs(calls: Partial<NodeFs>): Disposable {
  const before = nodeFs();
  files = { ...before, ...calls };
  return { [Symbol.dispose]: () => void (files = before) };
}

/** `node:path`. */
export function nodePath(): NodePath {
  return nodeModule("node:path")!;
}

/** Whether Linux shows the path of an open file. */
export function isLinux(): boolean {
  return (globalThis as { process?: { readonly platform: string } }).process?.platform === "linux";
}
