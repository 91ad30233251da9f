/**
 * What the operating system knows of a thread: how long it wanted to run while others had the processor. Linux tells, to
 * programs that may read everything.
 *
 * @module
 */

/** What is used of `node:fs`; page code has none. */
interface NodeFiles {
  readlinkSync(path: string): string;
  readFileSync(path: string, encoding: "utf8"): string;
}

/** What is used of Deno, if this is Deno: its own calls, as `node:fs` takes megabytes of every thread there. */
interface DenoLike {
  readLinkSync(path: string): string;
  readTextFileSync(path: string): string;
  readonly permissions: { querySync(what: { readonly name: string }): { readonly state: string } };
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
  const own = deno();
  return !own || ALL.every((name) => own.permissions.querySync({ name }).state === "granted");
}

function deno(): DenoLike | undefined {
  return (globalThis as { Deno?: DenoLike }).Deno;
}

function files(): NodeFiles | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.("node:fs") as NodeFiles | undefined;
}
