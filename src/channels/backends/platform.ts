/**
 * The parts of `node:fs` and `node:path` that are used, loaded when they are first needed: pages have none.
 *
 * @module
 */

import type * as Fs from "node:fs";
import type * as Path from "node:path";

/** The files of the operating system. */
export type NodeFs = typeof Fs;

/** What they know of a name, with whole numbers. */
export type BigFacts = Fs.BigIntStats;

/** Its paths. */
type NodePath = typeof Path;

interface Process {
  getBuiltinModule?(name: string): unknown;
  readonly platform?: string;
}

function nodeProcess(): Process | undefined {
  return (globalThis as { readonly process?: Process }).process;
}

/** Whether this thread has files of an operating system. */
export function hasNodeFiles(): boolean {
  return nodeProcess()?.getBuiltinModule !== undefined;
}

let files: NodeFs | undefined;

/** `node:fs`. */
export function nodeFs(): NodeFs {
  return files ??= nodeProcess()!.getBuiltinModule!("node:fs") as NodeFs;
}

/** For tests: other calls on this thread until the result is disposed of. */
export function replaceNodeFs(calls: Partial<NodeFs>): Disposable {
  const before = nodeFs();
  files = { ...before, ...calls };
  return { [Symbol.dispose]: () => void (files = before) };
}

/** `node:path`. */
export function nodePath(): NodePath {
  return nodeProcess()!.getBuiltinModule!("node:path") as NodePath;
}

/** Whether Linux shows the path of an open file. */
export function isLinux(): boolean {
  return nodeProcess()?.platform === "linux";
}
