/** Who is answered, and what every answer has. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { isOwnHost } from "../../../src/cli/view/guard.ts";
import { withFolder } from "../harness.ts";
import { raw, type Reply, site } from "./site.ts";

/** Every kind of route, with the status that it has. */
const ROUTES: readonly (readonly [line: string, status: number, headers?: Record<string, string>])[] = [
  ["GET /", 200],
  ["HEAD /", 200],
  ["GET /icon.svg", 200],
  ["GET /p-0123456789abcdef/main.js", 200],
  ["GET /nothing", 404],
  ["GET /data/sources.json", 200],
  ["GET /data/sources.json", 401, { authorization: "" }],
  ["GET /data/sources.json", 403, { authorization: "Bearer wrong" }],
  ["GET /data/0/a.bin", 200],
  ["GET /data/0/a.bin", 206, { range: "bytes=1-2" }],
  ["GET /data/0/a.bin", 416, { range: "bytes=9-" }],
  ["GET /data/0/a.bin", 412, { "if-match": '"other"' }],
  ["GET /data/0/b.bin", 404],
  ["GET /data/0/../a.bin", 404],
  ["POST /", 405],
  ["POST /data/0/a.bin", 405],
  ["DELETE /data/0/a.bin", 405],
  ["OPTIONS /data/0/a.bin", 405],
  ["PUT /data/0/a.bin", 405],
  ["PATCH /data/0/a.bin", 405],
  ["GET http://127.0.0.1/", 400],
  ["GET /", 421, { host: "evil.example" }],
];

/** What §4.9 asks for, word by word. */
function assertGuarded({ headers }: Reply, line: string): void {
  const policy = new Map(
    (headers.get("content-security-policy") ?? "").split("; ").map((one) => {
      const [name, ...values] = one.split(" ");
      return [name!, values.join(" ")];
    }),
  );
  assertEquals(policy.get("default-src"), "'none'", line);
  assertEquals(policy.get("script-src"), "'self' 'wasm-unsafe-eval'", line);
  assertEquals(policy.get("style-src"), "'self'", line);
  assertEquals(policy.get("worker-src"), "'self'", line);
  assertEquals(policy.get("img-src"), "'self' blob:", line);
  assertEquals(policy.get("connect-src"), "'self' http: https:", line);
  for (const none of ["frame-ancestors", "base-uri", "form-action"]) {
    assertEquals(policy.get(none), "'none'", line);
  }
  const expected = {
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  };
  for (const [name, value] of Object.entries(expected)) {
    assertEquals(headers.get(name), value, `${line}: ${name}`);
  }
  assertMatch(headers.get("permissions-policy") ?? "", /camera=\(\).*geolocation=\(\).*usb=\(\)/);
  assertEquals(headers.get("access-control-allow-origin"), null, line);
}

async function withSite(body: (served: Awaited<ReturnType<typeof site>>) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.bin`, Uint8Array.of(1, 2, 3, 4));
    await using served = await site([`${folder}/a.bin`]);
    await body(served);
  });
}

Deno.test("every route has the headers that guard the page, whatever its status", async () => {
  await withSite(async ({ ask }) => {
    for (const [line, status, headers] of ROUTES) {
      const [method, path] = line.split(" ") as [string, string];
      const reply = await ask(path, headers, method);
      assertEquals(reply.status, status, line);
      assertGuarded(reply, line);
      if (method === "HEAD") assertEquals(reply.bytes.length, 0);
    }
  });
});

Deno.test("other names for this server are refused, as a page elsewhere could have them", async () => {
  const place = { address: "127.0.0.1", name: "127.0.0.1", port: 8000 };
  const good = ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000"];
  const bad = [
    "evil.example:8000",
    "127.0.0.1",
    "127.0.0.1:8001",
    "127.0.0.1.evil.example:8000",
    "localhost.evil.example:8000",
    "evil.localhost:8000",
    "127.0.0.2:8000",
    "0.0.0.0:8000",
    "127.1:8000",
    "2130706433:8000",
    "0x7f000001:8000",
    "[::ffff:127.0.0.1]:8000",
    "localhost.:8000",
    "127.0.0.1:8000:8000",
    "user@127.0.0.1:8000",
    "127.0.0.1:8000 ",
    "127.0.0.1:08000x",
    "",
    undefined,
  ];
  assertEquals(good.map((host) => isOwnHost(host, place)), good.map(() => true));
  assertEquals(bad.map((host) => isOwnHost(host, place)), bad.map(() => false));
  const open = { address: "0.0.0.0", name: "0.0.0.0", port: 80 };
  assertEquals(["10.0.0.7", "10.0.0.7:80", "[fe80::1]:80"].map((host) => isOwnHost(host, open)), [
    true,
    true,
    true,
  ]);
  assertEquals(["evil.example", "10.0.0.7:81", "1e3.example"].map((host) => isOwnHost(host, open)), [
    false,
    false,
    false,
  ]);
  assert(isOwnHost("lab:80", { address: "10.0.0.7", name: "lab", port: 80 }));
  await withSite(async ({ ask, port }) => {
    for (const host of [`localhost:${port}`, `[::1]:${port}`]) {
      assertEquals((await ask("/", { host })).status, 200);
    }
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1:1"]) {
      assertEquals((await ask("/data/0/a.bin", { host })).status, 421);
    }
  });
});

Deno.test("pages of others get no data, even where the browser sends the cookie", async () => {
  await withSite(async ({ ask, port, token }) => {
    const cookie = (await ask("/data/sources.json")).headers.get("set-cookie")!;
    assertMatch(cookie, new RegExp(`^tilewise-${port}=[\\w-]{43}; Path=/data; HttpOnly; SameSite=Strict$`));
    assert(!cookie.includes(token));
    const shown = { host: `127.0.0.1:${port}`, cookie: cookie.split(";")[0]! };
    const own = [{}, { origin: `http://127.0.0.1:${port}` }, { "sec-fetch-site": "same-origin" }, {
      "sec-fetch-site": "none",
    }];
    const others = [
      { origin: "http://evil.example" },
      { origin: `http://127.0.0.1:${port + 1}` },
      { origin: `https://127.0.0.1:${port}` },
      { origin: "null" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of own) {
      assertEquals((await raw(port, "GET /data/0/a.bin", { ...shown, ...headers })).status, 200);
    }
    for (const headers of others) {
      assertEquals((await raw(port, "GET /data/0/a.bin", { ...shown, ...headers })).status, 403);
    }
    const wrong = [
      `tilewise-${port}=${token}`,
      `tilewise=${cookie}`,
      `tilewise-${port}=`,
      `tilewise-${port}=${"a".repeat(43)}`,
    ];
    for (const other of wrong) {
      const { status } = await raw(port, "GET /data/0/a.bin", { host: shown.host, cookie: other });
      assert([401, 403].includes(status), other);
    }
  });
});

Deno.test("after ten wrong tokens each further one waits for a second, and right ones never do", async () => {
  await withSite(async ({ ask, waits }) => {
    const wrong = () => ask("/data/sources.json", { authorization: `Bearer ${crypto.randomUUID()}` });
    for (let n = 0; n < 10; n++) assertEquals((await wrong()).status, 403);
    assertEquals(waits, []);
    assertEquals((await wrong()).status, 403);
    assertEquals((await ask("/data/sources.json")).status, 200);
    assertEquals((await wrong()).status, 403);
    assertEquals(waits, [1000, 1000]);
  });
});

Deno.test("the page needs no token, and says what may be kept for good", async () => {
  await withSite(async ({ ask }) => {
    const at = async (path: string, headers: Record<string, string> = {}) =>
      await ask(path, { authorization: "", ...headers });
    const plain = await at("/p-0123456789abcdef/main.js");
    assertEquals([plain.text.length, plain.headers.get("content-type")], [
      4000,
      "text/javascript; charset=utf-8",
    ]);
    assertEquals(plain.headers.get("cache-control"), "public, max-age=31536000, immutable");
    const packed = await at("/p-0123456789abcdef/main.js", { "accept-encoding": "br, gzip;q=0.5" });
    assertEquals([packed.headers.get("content-encoding"), packed.bytes.length < 100], ["gzip", true]);
    assertEquals((await at("/", { "accept-encoding": "gzip;q=0" })).headers.get("content-encoding"), null);
    const first = await at("/");
    assertEquals(first.headers.get("cache-control"), "no-cache");
    const etag = first.headers.get("etag")!;
    const again = await at("/", { "if-none-match": `"x", W/${etag}` });
    assertEquals([again.status, again.bytes.length], [304, 0]);
    for (
      const path of [
        "//",
        "/index.html/..",
        "/p-0123456789abcdef",
        "/p-0123456789abcdef/",
        "/__proto__",
        "/constructor",
      ]
    ) {
      assertEquals((await at(path)).status, 404, path);
    }
  });
});

Deno.test("errors of reading say no paths", async () => {
  const secret = "/home/someone/secret";
  const failing = { name: "a", files: ["a"], contents: () => Promise.reject(new Error(secret)) };
  await using served = await site([], [failing]);
  const { status, text } = await served.ask("/data/0/a");
  assertEquals([status, text.includes(secret)], [502, false]);
});

Deno.test("headers of any size end in an answer or in a closed connection, and others are served", async () => {
  await withSite(async ({ ask, port }) => {
    const host = `127.0.0.1:${port}`;
    for (const size of [20_000, 300_000, 3_000_000]) {
      const huge = await raw(port, "GET /data/0/a.bin", { host, "x-huge": "a".repeat(size) }).catch(() =>
        undefined
      );
      assert(
        huge === undefined || Number.isNaN(huge.status) || huge.status >= 400,
        `${size}: ${huge?.status}`,
      );
      const path = await ask(`/data/0/${"a".repeat(size)}`).catch(() => undefined);
      assert(
        path === undefined || Number.isNaN(path.status) || path.status >= 400,
        `${size}: ${path?.status}`,
      );
    }
    assertEquals((await ask("/data/0/a.bin")).status, 200);
  });
});
