/**
 * What servers do wrong, or do right in an unusual way: one row per behaviour.
 *
 * @module
 */

import { type Answer, type Question, rightAnswer } from "../../io/range_server.ts";

/** What a server says to a question, given the right answer; `n` counts questions since it began to behave like this. */
export type Say = (right: Answer, question: Question, n: number) => Answer;

/** How a run must end whose reads meet this behaviour. */
export type End = "right" | "error" | "either";

/** One behaviour: its name, what the server says, and how a run ends during which it begins. */
export type Behaviour = readonly [name: string, say: Say, end: End];

/** The file of all servers. */
export const BYTES: Uint8Array<ArrayBuffer> = Uint8Array.from(
  { length: 4096 },
  (_, i) => (i * 7 + (i >> 5)) % 251,
);

const headers = (more: Readonly<Record<string, string>>): Say => (right) => ({
  ...right,
  headers: { ...right.headers, ...more },
});
const without = (name: string): Say => (right) => ({
  ...right,
  headers: Object.fromEntries(Object.entries(right.headers ?? {}).filter(([key]) => key !== name)),
});
const status = (code: number, more: Readonly<Record<string, string>> = {}): Say => () => ({
  status: code,
  headers: { "content-length": "0", ...more },
});
const once = (say: Say): Say => (right, question, n) => n === 0 ? say(right, question, n) : right;
const body = (right: Answer) => right.body as Uint8Array;
const cut = (bytes: number, more: Partial<Answer> = {}): Say => (right) => ({
  ...right,
  body: body(right).slice(0, bytes),
  ...more,
});

/** `bytes` in pieces with pauses between them. */
async function* dripping(bytes: Uint8Array, piece: number, milliseconds: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += piece) {
    yield bytes.slice(at, at + piece);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield BYTES;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function gzipped(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function* gzipPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await gzipped(bytes);
}

const compressed = (coding: string): Say => (right) => ({
  ...right,
  headers: { ...without("content-length")(right, {} as Question, 0).headers, "content-encoding": coding },
  body: gzipPieces(body(right)),
});

/** The text of a head with the headers of the right answer, for heads that no server would write. */
const head = (right: Answer, more: string): string =>
  `HTTP/1.1 ${right.status} Said\r\nconnection: close\r\n${
    Object.entries(right.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`).join("")
  }${more}`;

const range = (text: string): Say => headers({ "content-range": text });
const shifted = (by: number): Say => (right, { range: asked }) =>
  asked
    ? range(`bytes ${asked.start + by}-${asked.stop - 1 + by}/${BYTES.length}`)(right, {} as Question, 0)
    : right;

const CODES: readonly Behaviour[] = [
  ...[400, 401, 402, 403, 404, 405, 407, 410, 418, 451, 500, 501, 502, 504, 505].map((code): Behaviour => [
    `always ${code}`,
    status(code),
    "error",
  ]),
  ["500 once", once(status(500)), "right"],
  ["502 once", once(status(502)), "right"],
  ["204 without a body", status(204), "error"],
  ["304 without a body", status(304), "error"],
  ["412 with another tag", status(412, { etag: '"v2"' }), "error"],
  ["416 for a shorter file", status(416, { "content-range": "bytes */60" }), "error"],
  ["416 that says nothing", status(416), "error"],
  ["429 once, at once again", once(status(429, { "retry-after": "0" })), "right"],
  ["429 once, without a time", once(status(429)), "right"],
  ["429 for an hour", status(429, { "retry-after": "3600" }), "error"],
  ["503 once, at once again", once(status(503, { "retry-after": "0" })), "right"],
  ["503 once, without a time", once(status(503)), "right"],
  [
    "503 until a day long ago",
    once(status(503, { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" })),
    "either",
  ],
  ["503 with a time that is none", once(status(503, { "retry-after": "soon" })), "right"],
];

const RANGES: readonly Behaviour[] = [
  ["206 without range", without("content-range"), "error"],
  ["206 one byte later", shifted(1), "error"],
  ["206 one byte earlier, or before the start", shifted(-1), "error"],
  ["206 with a range that ends before it starts", range("bytes 20-10/4096"), "error"],
  ["206 in other units", range("rows 0-1023/4096"), "error"],
  ["206 with text as range", range("bytes a-b/c"), "error"],
  ["206 of a file of 2^53 bytes", range("bytes 0-1023/9007199254740993"), "error"],
  [
    "range ignored: 200 with the whole file",
    () => ({ status: 200, headers: { etag: '"v1"' }, body: BYTES }),
    "either",
  ],
  [
    "range ignored: 200 with half of the file",
    () => ({ status: 200, headers: { "content-length": "4096" }, body: BYTES.slice(0, 2048) }),
    "error",
  ],
  [
    "multipart ranges",
    headers({ "content-type": "multipart/byteranges; boundary=x", "content-range": "" }),
    "error",
  ],
];

const BODIES: readonly Behaviour[] = [
  [
    "one byte too few, connection ends",
    (right, question, n) => without("content-length")(cut(700)(right, question, n), question, n),
    "error",
  ],
  ["one byte too few, against its length", cut(700), "error"],
  ["cut once, right again", once(cut(700)), "right"],
  ["no body at all", cut(0), "error"],
  [
    "a byte too many",
    (right, question, n) => ({
      ...without("content-length")(right, question, n),
      body: Uint8Array.from([...body(right), 7]),
    }),
    "error",
  ],
  ["a length that is too long", headers({ "content-length": "100000" }), "error"],
  ["a length that is not a number", headers({ "content-length": "many" }), "error"],
  [
    "an endless body",
    (right, question, n) => ({ ...without("content-length")(right, question, n), body: endless() }),
    "error",
  ],
  ["gzip", compressed("gzip"), "either"],
  ["gzip that is none", headers({ "content-encoding": "gzip" }), "error"],
  ["a coding that nobody knows", headers({ "content-encoding": "mystery" }), "error"],
];

const CONNECTIONS: readonly Behaviour[] = [
  ["hangs up without a word", () => ({ status: 206, reset: true }), "error"],
  ["hangs up once", once(() => ({ status: 206, reset: true })), "right"],
  [
    "hangs up in the headers",
    (right) => ({ ...right, head: "HTTP/1.1 206 Sa", body: new Uint8Array() }),
    "error",
  ],
  [
    "hangs up in the headers, once",
    once((right) => ({ ...right, head: "HTTP/1.1 206 Sa", body: new Uint8Array() })),
    "right",
  ],
  [
    "speaks another protocol",
    (right) => ({ ...right, head: "SSH-2.0-OpenSSH_9.6\r\n", body: new Uint8Array() }),
    "error",
  ],
  [
    "headers of 1 MiB",
    (right) => ({ ...right, head: head(right, `x-long: ${"a".repeat(2 ** 20)}\r\n\r\n`) }),
    "either",
  ],
  [
    "5000 headers",
    (right) => ({ ...right, head: head(right, "x-more: 1\r\n".repeat(5000) + "\r\n") }),
    "either",
  ],
  [
    "two lengths that differ",
    (right) => ({ ...right, head: head(right, "content-length: 3\r\n\r\n") }),
    "error",
  ],
  ["silence", (right) => ({ ...right, delay: 60_000 }), "error"],
  ["silence after half of the body", cut(300, { hold: true }), "error"],
  ["a body that drips", (right) => ({ ...right, body: dripping(body(right), 5, 100) }), "error"],
  ["a slow start", (right) => ({ ...right, delay: 200 }), "right"],
  ["a slow body", (right) => ({ ...right, body: dripping(body(right), 300, 60) }), "right"],
];

const PLACES: readonly Behaviour[] = [
  ["redirects in a circle", status(302, { location: "/scan.raw" }), "error"],
  ["redirects to a file", status(302, { location: "file:///etc/hostname" }), "error"],
  ["redirects to nowhere", status(307), "error"],
  [
    "redirects once",
    (right, { path }) => path === "/moved" ? right : { status: 307, headers: { location: "/moved" } },
    "right",
  ],
  ["another tag", headers({ etag: '"v2"' }), "error"],
  [
    "another tag per request",
    (right, question, n) => headers({ etag: `"n${n}"` })(right, question, n),
    "error",
  ],
  ["no tag any more", without("etag"), "either"],
  [
    "another file of the same size",
    (right, question, n) => n === 0 ? right : rightAnswer(BYTES.toReversed(), question, '"v2"'),
    "either",
  ],
];

/** All of them. */
export const BEHAVIOURS: readonly Behaviour[] = [...CODES, ...RANGES, ...BODIES, ...CONNECTIONS, ...PLACES];
