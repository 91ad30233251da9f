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

/** What is used of Deno, if this is Deno. */
interface DenoLike {
  readonly permissions: { querySync(what: { readonly name: string }): { readonly state: string } };
}

/** Permissions without which Deno does not let a program look at its own process. */
const ALL = ["read", "write", "net", "env", "run", "sys", "ffi"];

/** What the operating system calls this thread; `undefined` where it does not tell. */
export function systemThread(): string | undefined {
  try {
    return mayLook() ? files()?.readlinkSync("/proc/thread-self") : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds for which a thread of this process has waited for a processor; 0 if it has ended. */
export function waitedBy(thread: string): number {
  try {
    const [, waited = 0] = files()!.readFileSync(`/proc/${thread}/schedstat`, "utf8").split(" ").map(Number);
    return waited / 1e6;
  } catch {
    return 0;
  }
}

function mayLook(): boolean {
  const { Deno: deno } = globalThis as { Deno?: DenoLike };
  return !deno || ALL.every((name) => deno.permissions.querySync({ name }).state === "granted");
}

function files(): NodeFiles | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.("node:fs") as NodeFiles | undefined;
}
