/**
 * LiberTEM's server, as its users start it: `libertem-server` of the package `libertem` on PyPI.
 *
 * @module
 */

import { programPath } from "../setup/paths.ts";

/** Its name, and the variable that names another one. */
export const LIBERTEM = { variable: "LIBERTEM_SERVER", names: ["libertem-server"] };

/** Milliseconds until it answers. */
const LIMIT = 120_000;

/** Starts it in `cwd`, whose files it lists first, gives its address to `work`, and ends it. */
export async function withLibertem<T>(work: (address: string) => Promise<T>, cwd?: string): Promise<T> {
  const port = freePort();
  const address = `http://localhost:${port}`;
  const process = new Deno.Command(programPath(LIBERTEM)!, {
    args: ["--no-browser", "--port", String(port), "--log-level", "error"],
    ...(cwd === undefined ? {} : { cwd }),
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await answers(address);
    return await work(address);
  } finally {
    await fetch(`${address}/api/shutdown/`, { method: "DELETE" }).catch(() => {});
    const alarm = setTimeout(() => process.kill("SIGKILL"), 10_000);
    await process.status;
    clearTimeout(alarm);
  }
}

function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return (listener.addr as Deno.NetAddr).port;
}

async function answers(address: string): Promise<void> {
  for (const start = performance.now(); performance.now() - start < LIMIT;) {
    const reply = await fetch(address).catch(() => undefined);
    await reply?.body?.cancel();
    if (reply?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`libertem-server does not answer at ${address}`);
}
