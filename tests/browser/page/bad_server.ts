/**
 * Another origin whose server does what servers should not do, by the first part of the path.
 *
 * | path | what |
 * |---|---|
 * | `/good/…` | the file, in ranges, for all pages |
 * | `/whole/…` | the same without ranges |
 * | `/closed/…` | without the headers that let pages of other origins read it |
 * | `/hidden/…` | without those that let them see which bytes came |
 * | `/changing/…` | another version at each request |
 * | `/status/404/…` | an answer of this status |
 * | `/silent/…` | no answer |
 * | `/broken/…` | a connection that ends in the middle |
 *
 * @module
 */

import { rangeOf } from "../setup/ranges.ts";

const OPEN = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };
const SEEN = { "access-control-expose-headers": "Content-Range, Content-Length, ETag, Last-Modified" };

/** A server that runs. */
export interface BadServer extends AsyncDisposable {
  /** Its address. */
  readonly origin: string;
}

/** Serves `bytes` under all names. */
export function badServer(bytes: Uint8Array<ArrayBuffer>): BadServer {
  let version = 0;
  const ended = new AbortController();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    if (request.method === "OPTIONS") {
      return new Response(null, { headers: { ...OPEN, "access-control-allow-headers": "*" } });
    }
    const [way, status] = new URL(request.url).pathname.slice(1).split("/");
    switch (way) {
      case "whole":
        return new Response(bytes.slice(), { headers: { ...OPEN, ...SEEN } });
      case "closed":
        return await rangeOf(request, bytes, { "cross-origin-resource-policy": "cross-origin" });
      case "hidden":
        return await rangeOf(request, bytes, OPEN);
      case "status":
        return new Response("no", { status: Number(status), headers: { ...OPEN, ...SEEN } });
      case "silent":
        return await new Promise((resolve) =>
          ended.signal.addEventListener("abort", () => resolve(new Response()))
        );
      case "broken":
        return broken(request, bytes);
      case "changing": {
        const reply = await rangeOf(request, bytes, { ...OPEN, ...SEEN });
        reply.headers.set("etag", `"${version++}"`);
        return reply;
      }
    }
    return await rangeOf(request, bytes, { ...OPEN, ...SEEN });
  });
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      ended.abort();
      await server.shutdown();
    },
  };
}

/** The first bytes as they should be; the others end early. */
async function broken(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<Response> {
  const reply = await rangeOf(request, bytes, { ...OPEN, ...SEEN });
  const body = new Uint8Array(await reply.arrayBuffer());
  if (body.length < 1000) return new Response(body, reply);
  let sent = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) return controller.error(new Error("ended"));
      sent = true;
      controller.enqueue(body.subarray(0, 100));
    },
  });
  return new Response(stream, { status: reply.status, headers: reply.headers });
}
