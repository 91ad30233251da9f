/**
 * A small HTTP server on loopback that speaks over plain sockets, so that a test decides about every byte it says.
 *
 * @module
 */

/** What a request asks for. */
export interface Question {
  /** Requests before this one. */
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** The range that is asked for, if any. */
  readonly range?: { readonly start: number; readonly stop: number };
}

/** What the server says. A body is sent as it is; `hold` keeps the connection open and silent after it. */
export interface Answer {
  readonly status: number;
  /** Sent in place of status and headers. */
  readonly head?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Waits so long before it says anything. */
  readonly delay?: number;
  /** Hangs up without a word. */
  readonly reset?: boolean;
  /** Goes silent after the body, instead of hanging up. */
  readonly hold?: boolean;
}

/** A server and what it was asked. */
export interface RangeServer extends AsyncDisposable {
  readonly url: string;
  readonly questions: Question[];
}

/** The right answer of a server that knows ranges, `If-Match` and an entity tag. */
export function rightAnswer(bytes: Uint8Array, { range, headers }: Question, etag = '"v1"'): Answer {
  const wanted = headers.get("if-match");
  if (wanted !== null && wanted !== etag) return { status: 412, headers: { etag }, body: new Uint8Array() };
  if (!range) return { status: 200, headers: { etag, "content-length": `${bytes.length}` }, body: bytes };
  if (range.start >= bytes.length) {
    return { status: 416, headers: { "content-range": `bytes */${bytes.length}` }, body: new Uint8Array() };
  }
  const body = bytes.slice(range.start, range.stop);
  const said = `bytes ${range.start}-${range.start + body.length - 1}/${bytes.length}`;
  return { status: 206, headers: { etag, "content-range": said, "content-length": `${body.length}` }, body };
}

/** Serves `answer` on a free port of loopback; one request a connection. */
export function serve(answer: (question: Question) => Answer): RangeServer {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const questions: Question[] = [];
  const open = new Set<Deno.TcpConn>();
  const running = (async () => {
    for await (const connection of listener) {
      open.add(connection);
      talk(connection, (head) => {
        const question = parse(head, questions.length);
        questions.push(question);
        return answer(question);
      }).catch(() => {}).finally(() => { // the client may hang up at any time
        open.delete(connection);
        close(connection);
      });
    }
  })();
  const { port } = listener.addr;
  return {
    url: `http://127.0.0.1:${port}/scan.raw`,
    questions,
    async [Symbol.asyncDispose]() {
      listener.close();
      open.forEach(close);
      await running.catch(() => {});
    },
  };
}

async function talk(connection: Deno.TcpConn, answer: (head: string) => Answer): Promise<void> {
  const { status, headers = {}, body, delay, reset, hold, head: own } = answer(await head(connection));
  if (delay) await new Promise((resolve) => setTimeout(resolve, delay));
  if (reset) return;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const text = own ?? `HTTP/1.1 ${status} Said\r\nconnection: close\r\n${lines}\r\n`;
  await writeAll(connection, new TextEncoder().encode(text));
  for await (const piece of body instanceof Uint8Array ? [body] : body ?? []) {
    await writeAll(connection, piece);
  }
  if (hold) await connection.read(new Uint8Array(1)); // until the client hangs up
}

async function head(connection: Deno.TcpConn): Promise<string> {
  let text = "";
  const piece = new Uint8Array(4096);
  while (!text.includes("\r\n\r\n")) {
    const length = await connection.read(piece);
    if (length === null) throw new Error("The client hung up");
    text += new TextDecoder().decode(piece.subarray(0, length));
  }
  return text;
}

function parse(head: string, n: number): Question {
  const [first = "", ...lines] = head.trim().split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = new Headers(lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  }));
  const match = /^bytes=(\d+)-(\d+)$/.exec(headers.get("range") ?? "");
  const range = match ? { range: { start: Number(match[1]), stop: Number(match[2]) + 1 } } : {};
  return { n, method, path, headers, ...range };
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // closed already
  }
}
