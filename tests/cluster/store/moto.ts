/**
 * An object store for tests: moto from PyPI, if a Python that has it is found.
 *
 * @module
 */

import { succeeds } from "../../installed.ts";

/** A running server. */
export interface Running extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
  /** Makes a bucket. */
  makeBucket(name: string): Promise<void>;
}

/** The server, if it is installed: `moto_server` on the path, or the command that `MOTO_SERVER` names. */
export function moto(): { start(): Promise<Running> } | undefined {
  const command = Deno.env.get("MOTO_SERVER") ?? "moto_server";
  return succeeds(command, "--help") ? { start: () => start(command) } : undefined;
}

async function start(command: string): Promise<Running> {
  const port = freePort();
  const process = new Deno.Command(command, { args: ["-p", String(port)], stdout: "null", stderr: "null" })
    .spawn();
  await answering(`http://127.0.0.1:${port}`);
  const front = oneAtATime(`http://127.0.0.1:${port}`);
  const url = `http://127.0.0.1:${front.addr.port}`;
  return {
    url,
    async makeBucket(name) {
      const answer = await fetch(`${url}/${name}`, { method: "PUT" });
      await answer.body?.cancel();
    },
    async [Symbol.asyncDispose]() {
      await front.shutdown();
      process.kill("SIGKILL");
      await process.status;
    },
  };
}

/** moto asks whether an object exists and then writes it, in threads: object stores do both at once, so requests take turns. */
function oneAtATime(behind: string) {
  let turn: Promise<unknown> = Promise.resolve();
  const pass = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
    const answer = await fetch(`${behind}${pathname}${search}`, { method, headers, body });
    const bytes = await answer.arrayBuffer();
    return new Response(bytes.byteLength > 0 ? bytes : null, {
      status: answer.status,
      headers: answer.headers,
    });
  };
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const answer = turn.then(() => pass(request));
    turn = answer.catch(() => {}); // the next one is not to blame
    return answer;
  });
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}
