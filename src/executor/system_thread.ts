/**
 * What the operating system knows of a thread: how long it wanted to run while others had the processor. Linux tells, to
 * programs that may read everything.
 *
 * @module
 */

import { isGranted } from "../io/source/permission.ts";
import { nodeModule } from "../portable.ts";

/** What is used of Deno, if this is Deno: its own calls, as `node:fs` takes megabytes of every thread there. */
interface DenoLike {
  readLinkSync(path: string): string;
  readTextFileSync(path: string): string;
}

/** Permissions without which Deno does not let a program look at its own process. */
const ALL = ["read", "write", "net", "env", "run", "sys", "ffi"];

/** What the operating system calls this thread; `undefined` where it does not tell. */
export function systemThread(): string | undefined {
  try {
    return mayLook() ? deno()?.readLinkSync(LINK) ?? files()?.readlinkSync(LINK) : undefined;
  } catch {
    return undefined;
  }
}

/** Where the operating system says it. */
const LINK = "/proc/thread-self";

/** Milliseconds for which a thread of this process has waited for a processor; 0 if it has ended. */
export function waitedBy(thread: string): number {
  try {
    const path = `/proc/${thread}/schedstat`;
    const text = deno()?.readTextFileSync(path) ?? files()!.readFileSync(path, "utf8");
    const [, waited = 0] = text.split(" ").map(Number);
    return waited / 1e6;
  } catch {
    return 0;
  }
}

function mayLook(): boolean {
  return ALL.every((name) => isGranted({ name }));
}

function deno(): DenoLike | undefined {
  return (globalThis as { Deno?: DenoLike }).Deno;
}

function files() {
  return nodeModule("node:fs");
}
