/** A server on loopback with files in memory, which it sends in ranges. */

/** The server. */
export interface ServedFiles extends AsyncDisposable {
  /** Where it is. */
  readonly url: string;
  /** What was asked for: path and range. */
  readonly asked: string[];
  /** Fails the next requests with this status, as often as it says. */
  fail(status: number, times: number): void;
  /** Puts a file there. */
  put(name: string, bytes: Uint8Array): Promise<void>;
}

/** Starts it. */
export function servedFiles({ ranges = true } = {}): ServedFiles {
  const files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; etag: string }>();
  const asked: string[] = [];
  let versions = 0, failing = 0, answer = 503;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const name = decodeURIComponent(new URL(request.url).pathname.slice("/files/".length));
    asked.push(`${name} ${request.headers.get("range")}`);
    if (failing-- > 0) return new Response(null, { status: answer });
    const file = files.get(name);
    if (!file) return new Response(null, { status: 404 });
    const match = request.headers.get("if-match");
    if (match && match !== file.etag) return new Response(null, { status: 412 });
    return ranges ? part(file, request.headers.get("range") ?? "") : new Response(file.bytes);
  });
  const { port } = server.addr as Deno.NetAddr;
  return {
    url: `http://127.0.0.1:${port}/files`,
    asked,
    fail: (status, times) => void ([answer, failing] = [status, times]),
    put(name, bytes) {
      files.set(name, { bytes: bytes.slice() as Uint8Array<ArrayBuffer>, etag: `"${++versions}"` });
      return Promise.resolve();
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function part({ bytes, etag }: { bytes: Uint8Array<ArrayBuffer>; etag: string }, range: string): Response {
  const [start, last] = range.replace("bytes=", "").split("-").map(Number) as [number, number];
  if (start >= bytes.length) {
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${bytes.length}` } });
  }
  const stop = Math.min(last + 1, bytes.length);
  const headers = { etag, "content-range": `bytes ${start}-${stop - 1}/${bytes.length}` };
  return new Response(bytes.slice(start, stop), { status: 206, headers });
}
