import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { BytesSource } from "../../src/io/source/bytes.ts";
import { openHttp, reopenHttp } from "../../src/io/http/http.ts";
import type { Pins } from "../../src/io/http/headers.ts";
import { HttpLink, type HttpOptions } from "../../src/io/http/link.ts";
import { openSource, openSpec } from "../../src/io/open.ts";
import { readBytes } from "../../src/io/source/source.ts";
import { byteSourceConformance } from "./conformance.ts";
import { pattern } from "./pattern.ts";
import { type Answer, type Question, type RangeServer, rightAnswer, serve } from "./range_server.ts";

const BYTES = pattern(10_000);
const QUICK: HttpOptions = {
  retry: { attempts: 3, firstPause: 1 },
  timeout: 2000,
  stallTimeout: 300,
};

byteSourceConformance("HTTP", (bytes) => {
  const server = serve((question) => rightAnswer(bytes, question));
  return Promise.resolve({
    open: () => openSource(server.url),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
});

byteSourceConformance("HTTP without ranges", (bytes) => {
  const server = serve(() => ({ status: 200, body: bytes }));
  return Promise.resolve({
    open: () => openSource(server.url),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
});

/** Runs `body` against a server whose first answer, to the opening, is right. */
async function afterOpening(
  answer: (question: Question, right: Answer) => Answer,
  body: (read: (at: number, length: number) => Promise<Uint8Array>, server: RangeServer) => Promise<void>,
  options: HttpOptions = QUICK,
): Promise<void> {
  await using server = serve((question) => {
    const right = rightAnswer(BYTES, question);
    return question.n === 0 ? right : answer(question, right);
  });
  await using source = await openHttp(server.url, options);
  await body((at, length) => readBytes(source, at, length), server);
}

Deno.test("every read asks for its bytes, uncompressed, and for the version that was opened", async () => {
  await afterOpening((_, right) => right, async (read, { questions }) => {
    assertEquals(await read(100, 50), BYTES.slice(100, 150));
    const { headers } = questions[1]!;
    assertEquals(headers.get("range"), "bytes=100-149");
    assertEquals(headers.get("if-match"), '"v1"');
    assertEquals(headers.get("accept-encoding"), "identity");
    await read(0, 0);
    assertEquals(questions.length, 2);
  });
});

const wrong = (headers: Record<string, string>) => (_: Question, right: Answer): Answer => ({
  ...right,
  headers: { ...right.headers, ...headers },
});
const without = (name: string) => (_: Question, right: Answer): Answer => ({
  ...right,
  headers: Object.fromEntries(Object.entries(right.headers ?? {}).filter(([key]) => key !== name)),
});

/** What a server may do to a read of 50 bytes at 100, the error it must become, and how often it is asked. */
const ANSWERS: Readonly<Record<string, [(question: Question, right: Answer) => Answer, string, number]>> = {
  "200 with the whole file": [() => ({ status: 200, headers: { etag: '"v1"' }, body: BYTES }), "io", 1],
  "206 without range": [without("content-range"), "io", 1],
  "206 for other bytes": [wrong({ "content-range": "bytes 101-150/10000" }), "io", 1],
  "206 for fewer bytes": [wrong({ "content-range": "bytes 100-148/10000" }), "io", 1],
  "206 for more bytes": [wrong({ "content-range": "bytes 100-150/10000" }), "io", 1],
  "206 that makes no sense": [wrong({ "content-range": "bytes 149-100/10000" }), "io", 1],
  "206 in other units": [wrong({ "content-range": "rows 100-149/10000" }), "io", 1],
  "another size": [wrong({ "content-range": "bytes 100-149/10001" }), "changed", 1],
  "another entity tag": [wrong({ etag: '"v2"' }), "changed", 1],
  "412": [() => ({ status: 412, headers: { etag: '"v2"' } }), "changed", 1],
  "416": [() => ({ status: 416, headers: { "content-range": "bytes */60" } }), "changed", 1],
  "compressed": [wrong({ "content-encoding": "gzip" }), "unsupported", 1],
  "a byte too few, at the end of the connection": [
    (q, right) => ({ ...without("content-length")(q, right), body: BYTES.slice(100, 149) }),
    "truncated",
    3,
  ],
  "a byte too few, against its own length": [
    (_, right) => ({ ...right, body: BYTES.slice(100, 149) }),
    "io",
    3,
  ],
  "a byte too many": [
    (q, right) => ({ ...without("content-length")(q, right), body: BYTES.slice(100, 151) }),
    "io",
    1,
  ],
  "a byte too many, and says so": [
    (_, right) => ({
      ...right,
      headers: { ...right.headers, "content-length": "51" },
      body: BYTES.slice(100, 151),
    }),
    "io",
    1,
  ],
  "an endless body": [(q, right) => ({ ...without("content-length")(q, right), body: endless() }), "io", 1],
  "silence": [(_, right) => ({ ...right, delay: 1000 }), "timeout", 3],
  "silence after half of the body": [
    (_, right) => ({ ...right, body: BYTES.slice(100, 125), hold: true }),
    "timeout",
    3,
  ],
  "nothing at all": [(_, right) => ({ ...right, reset: true }), "io", 3],
  "500": [() => ({ status: 500 }), "io", 3],
  "503": [() => ({ status: 503 }), "io", 3],
  "429": [() => ({ status: 429, headers: { "retry-after": "0" } }), "io", 3],
  "429 that asks for an hour": [() => ({ status: 429, headers: { "retry-after": "3600" } }), "io", 1],
  "401": [() => ({ status: 401 }), "permission", 1],
  "403": [() => ({ status: 403 }), "permission", 1],
  "404": [() => ({ status: 404 }), "not-found", 1],
  "400": [() => ({ status: 400 }), "io", 1],
  "redirect without end": [() => ({ status: 302, headers: { location: "/again" } }), "io", 4],
  "redirect to a file": [() => ({ status: 302, headers: { location: "file:///etc/hostname" } }), "io", 1],
  "redirect to nowhere": [() => ({ status: 302 }), "io", 1],
  "redirect with a password": [
    () => ({ status: 302, headers: { location: "//u:p@127.0.0.1/" } }),
    "invalid",
    1,
  ],
};

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield BYTES;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

for (const [what, [answer, code, asked]] of Object.entries(ANSWERS)) {
  Deno.test(`HTTP ${what}: never data, always ${code}`, async () => {
    await afterOpening(answer, async (read, { questions }) => {
      const error = await assertRejects(() => read(100, 50), TilewiseError);
      assertEquals([String(error.code), questions.length - 1], [code, asked]);
      assert(error.message.includes("/scan.raw"), error.message);
    });
  });
}

Deno.test("a body that drips is given up on", async () => {
  const drip = async function* () {
    yield BYTES.slice(0, 200);
    await new Promise<void>(() => {}); // and no more
  };
  const timeouts = { ...QUICK, retry: { attempts: 1 } };
  await afterOpening((_, right) => ({ ...right, body: drip() }), async (read) => {
    const error = await assertRejects(() => read(0, 10_000), TilewiseError);
    assertEquals(error.code, "timeout");
  }, timeouts);
});

Deno.test("how long to wait travels with the description of a source", async () => {
  await using server = serve((question) => rightAnswer(BYTES, question));
  await using source = await openHttp(server.url, { ...QUICK, retry: { ...QUICK.retry, random: () => 0 } });
  const spec = structuredClone(source.describe());
  assert(spec.kind === "http");
  assertEquals([spec.timeouts, spec.retry], [{ timeout: 2000, stallTimeout: 300 }, QUICK.retry]);
});

Deno.test("a 200 is taken when the whole file was asked for", async () => {
  await afterOpening(() => ({ status: 200, headers: { etag: '"v1"' }, body: BYTES }), async (read) => {
    assertEquals(await read(0, BYTES.length), BYTES);
  });
});

Deno.test("redirects are followed, with the user's headers only to the same origin", async () => {
  await using elsewhere = serve((question) => rightAnswer(BYTES, question));
  await using server = serve(({ path }) => ({
    status: 307,
    headers: { location: path === "/scan.raw" ? "/here" : elsewhere.url },
  }));
  const headers = { authorization: "Bearer secret" };
  await using source = await openHttp(server.url, { ...QUICK, headers });
  assertEquals(await readBytes(source, 9, 9), BYTES.slice(9, 18));
  assertEquals(server.questions.map((q) => q.headers.get("authorization")), Array(4).fill("Bearer secret"));
  assertEquals(elsewhere.questions.map((q) => q.headers.get("authorization")), [null, null]);
  assertEquals(elsewhere.questions[1]!.headers.get("if-match"), '"v1"');
});

Deno.test("no URL is asked that is not allowed, behind redirects either", async () => {
  await using elsewhere = serve((question) => rightAnswer(BYTES, question));
  await using server = serve(() => ({ status: 302, headers: { location: elsewhere.url } }));
  const allow = (url: URL) => server.url.startsWith(url.origin);
  const error = await assertRejects(() => openHttp(server.url, { ...QUICK, allow }), TilewiseError);
  assertEquals([error.code, server.questions.length, elsewhere.questions.length], ["permission", 1, 0]);
});

Deno.test("an async rule for URLs is refused: its promise is not a yes", async () => {
  await using server = serve((question) => rightAnswer(BYTES, question));
  const allow = (() => Promise.reject(new Error("no"))) as unknown as (url: URL) => boolean;
  const error = await assertRejects(
    () => openHttp(server.url, { ...QUICK, allow }),
    TilewiseError,
    "a promise",
  );
  assertEquals([error.code, error.details.option, server.questions.length], ["invalid", "http.allow", 0]);
});

Deno.test("a URL's query stays out of messages", async () => {
  await using server = serve(() => ({ status: 403 }));
  const error = await assertRejects(() => openHttp(`${server.url}?token=secret`, QUICK), TilewiseError);
  assert(!JSON.stringify(error).includes("secret") && error.message.includes("/scan.raw?…"));
});

Deno.test("weak tags and dates pin the version too", async () => {
  for (
    const [name, then, now] of [["etag", 'W/"1"', 'W/"2"'], ["last-modified", DATES[0]!, DATES[1]!]] as const
  ) {
    let value: string = then;
    await using server = serve((question) => {
      const { etag: _, ...headers } = rightAnswer(BYTES, question).headers as Record<string, string>;
      return { ...rightAnswer(BYTES, question), headers: { ...headers, [name]: value } };
    });
    await using source = await openHttp(server.url, QUICK);
    assertEquals(await readBytes(source, 1, 2), BYTES.slice(1, 3));
    assertEquals(server.questions[1]!.headers.has("if-match"), false);
    await source.verify();
    value = now;
    for (const work of [() => source.verify(), () => readBytes(source, 1, 2)]) {
      assertEquals((await assertRejects(work, TilewiseError)).code, "changed");
    }
  }
});

const DATES = ["Sat, 21 Nov 2026 00:00:00 GMT", "Sat, 21 Nov 2026 00:00:01 GMT"];

Deno.test("a description pins the version for whoever opens it", async () => {
  let etag = '"v1"';
  await using server = serve((question) => rightAnswer(BYTES, question, etag));
  await using source = await openHttp(server.url, { ...QUICK, headers: { "x-key": "7" } });
  const spec = source.describe();
  etag = '"v2"';
  await using again = await openSpec(spec);
  assertEquals((await assertRejects(() => readBytes(again, 0, 1), TilewiseError)).code, "changed");
  assertEquals(server.questions.at(-1)!.headers.get("x-key"), "7");
  await using other = reopenHttp({ kind: "http", url: server.url, size: 10_001 }, QUICK);
  assertEquals((await assertRejects(() => readBytes(other, 0, 1), TilewiseError)).code, "changed");
});

Deno.test("a server without ranges is read whole up to a limit, declared or not", async () => {
  for (const headers of [{ "content-length": `${BYTES.length}` }, {}]) {
    await using server = serve(() => ({ status: 200, headers, body: BYTES }));
    await using source = await openHttp(server.url, { ...QUICK, wholeLimit: BYTES.length });
    assert(source instanceof BytesSource);
    assertEquals([server.questions.length, await readBytes(source, 0, source.size)], [1, BYTES]);
    const small = { ...QUICK, wholeLimit: BYTES.length - 1 };
    const error = await assertRejects(() => openHttp(server.url, small), TilewiseError, "wholeLimit");
    assertEquals(error.code, "unsupported");
  }
});

Deno.test("opening refuses what it cannot trust", async () => {
  const cases: [Answer, string][] = [
    [{ status: 206, body: new Uint8Array(1) }, "io"],
    [{ status: 206, headers: { "content-range": "bytes 0-0/*" }, body: new Uint8Array(1) }, "unsupported"],
    [{ status: 206, headers: { "content-range": "bytes 1-1/9" }, body: new Uint8Array(1) }, "io"],
    [{ status: 200, headers: { "content-encoding": "br" }, body: new Uint8Array(1) }, "unsupported"],
    [{ status: 416, headers: { "content-range": "bytes */9" } }, "io"],
    [{ status: 204 }, "io"],
    [{ status: 404 }, "not-found"],
  ];
  for (const [answer, code] of cases) {
    await using server = serve(() => answer);
    const error = await assertRejects(() => openHttp(server.url, QUICK), TilewiseError);
    assertEquals([answer.status, String(error.code)], [answer.status, code]);
  }
});

Deno.test("servers that take an end of 0 for none, and files of one byte, are opened", async () => {
  for (const bytes of [BYTES, BYTES.slice(0, 1)]) {
    await using server = serve((question) => {
      const { range } = question;
      return rightAnswer(
        bytes,
        range?.stop === 1 ? { ...question, range: { start: 0, stop: 2 ** 40 } } : question,
      );
    });
    await using source = await openHttp(server.url, QUICK);
    assertEquals(await readBytes(source, 0, source.size), bytes);
  }
});

Deno.test("a server that is not there is an io error", async () => {
  const server = serve(() => ({ status: 200 }));
  await server[Symbol.asyncDispose]();
  const error = await assertRejects(() => openHttp(server.url, QUICK), TilewiseError, "3 attempts");
  assertEquals([error.code, error.details.attempts], ["io", 3]);
});

Deno.test("cancelling ends a transfer, and a pause between attempts, at once", async () => {
  const slow: HttpOptions = { retry: { firstPause: 60_000, random: () => 1 } };
  const answers: ((question: Question, right: Answer) => Answer)[] = [
    () => ({ status: 206, head: "", hold: true }),
    (_, right) => ({ ...right, body: BYTES.slice(0, 10), hold: true }),
    () => ({ status: 503 }),
  ];
  for (const answer of answers) {
    await using server = serve((question) => {
      const right = rightAnswer(BYTES, question);
      return question.n === 0 ? right : answer(question, right);
    });
    await using source = await openHttp(server.url, slow);
    const controller = new AbortController();
    const reading = readBytes(source, 0, 100, controller.signal);
    while (server.questions.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    controller.abort("enough"); // the server would never end
    const error = await assertRejects(() => reading, TilewiseError);
    assertEquals([error.code, error.cause], ["aborted", "enough"]);
  }
});

Deno.test("a browser's cache serves whole objects that have not changed, and lets ranges pass", async () => {
  const asked: [range: boolean, cache: RequestCache | undefined][] = [];
  await using server = serve((question) => rightAnswer(BYTES, question));
  const fetch = (url: URL, init: RequestInit) => {
    asked.push([new Headers(init.headers).has("range"), init.cache]);
    return globalThis.fetch(url, init);
  };
  const link = new HttpLink(new URL(server.url), { ...QUICK, fetch });
  assertEquals(await link.all(BYTES.length, () => {}), BYTES);
  const pins = await link.probe() as Pins;
  await link.read(new Uint8Array(10), 5, pins);
  assertEquals(asked, [[false, "no-cache"], [true, "no-store"], [true, "no-store"]]);
});
