/**
 * Another origin, whose server does what servers should not do: which, says the first part of the path.
 *
 * | path | what |
 * |---|---|
 * | `/good/…` | the file, in ranges, for all pages |
 * | `/large/…` | 65 MiB without ranges |
 * | `/closed/…` | without the header that lets pages of other origins read it |
 * | `/hidden/…` | without the one that lets them see which bytes came |
 * | `/changing/…` | another version at each request |
 * | `/status/404/…` | an answer of this status |
 * | `/silent/…` | no answer |
 * | `/broken/…` | connections that end in the middle |
 *
 * @module
 */

import { rangeOf } from "../../setup/ranges.ts";

const ANYONE = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };
const OPEN = {
  ...ANYONE,
  "access-control-expose-headers": "Content-Range, Content-Length, ETag, Last-Modified",
};

/** A server that runs. */
export interface BadServer extends AsyncDisposable {
  /** Its address. */
  readonly origin: string;
}

/** Serves `bytes` under all names. */
export function badServer(bytes: Uint8Array<ArrayBuffer>): BadServer {
  const ended = new AbortController();
  const answers: Readonly<Record<string, (request: Request, rest: string) => Response | Promise<Response>>> =
    {
      good: (request) => rangeOf(request, bytes, OPEN),
      large: () =>
        new Response(zeros(65 * 2 ** 20), { headers: { ...OPEN, "content-length": `${65 * 2 ** 20}` } }),
      closed: (request) => rangeOf(request, bytes, {}),
      hidden: (request) => rangeOf(request, bytes, ANYONE),
      changing: (request) => changed(request, bytes),
      status: (_, rest) => new Response("no", { status: parseInt(rest), headers: OPEN }),
      silent: () => new Promise((resolve) => ended.signal.onabort = () => resolve(new Response())),
      broken: (request) => broken(request, bytes),
    };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const [, way = "", rest = ""] = /^\/(\w+)\/(.*)$/.exec(new URL(request.url).pathname) ?? [];
    return await answers[way]!(request, rest);
  });
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      ended.abort();
      await server.shutdown();
    },
  };
}

let versions = 0;

async function changed(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<Response> {
  const reply = await rangeOf(request, bytes, OPEN);
  reply.headers.set("etag", `"${versions++}"`);
  return reply;
}

/** Short answers are whole; of long ones 100 bytes come, and then the connection ends. */
async function broken(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<Response> {
  const reply = await rangeOf(request, bytes, OPEN);
  const body = new Uint8Array(await reply.arrayBuffer());
  const some = body.length < 200 ? body : zeros(100);
  return new Response(some, { status: reply.status, headers: reply.headers });
}

function zeros(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      const piece = new Uint8Array(Math.min(left, 2 ** 16));
      left -= piece.length;
      controller.enqueue(piece);
      if (left === 0) controller.close();
    },
  });
}
