import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import {
  conditions,
  contentLength,
  difference,
  foreignEncoding,
  parseContentRange,
} from "../../src/io/http/headers.ts";
import { openHttp } from "../../src/io/http/http.ts";

Deno.test("a content range is read exactly or not at all", () => {
  assertEquals(parseContentRange("bytes 5-9/10"), { start: 5, stop: 10, total: 10 });
  assertEquals(parseContentRange("BYTES 5-5/*"), { start: 5, stop: 6 });
  const bad = [
    null,
    "",
    "bytes",
    "bytes */10",
    "bytes 5-10/10",
    "bytes 9-5/10",
    "bytes -5/10",
    "bytes 5-/10",
    "bytes 5-9",
    "bytes 5-9/10, 11-12/20",
    "bytes 0x5-9/10",
    "bytes 5-9/99999999999999999999",
    "bytes 99999999999999999990-99999999999999999999/*",
    "bits 5-9/10",
  ];
  for (const header of bad) assertEquals(parseContentRange(header), undefined);
});

Deno.test("a length is a count, an encoding is one that changes the bytes", () => {
  const length = (text: string) => contentLength(new Headers({ "content-length": text }));
  assertEquals(["12", "0", "-1", "1e3", "", "99999999999999999999", "12, 12"].map(length), [
    12,
    0,
    ...Array(5).fill(undefined),
  ]);
  const encoding = (text: string) => foreignEncoding(new Headers({ "content-encoding": text }));
  assertEquals(["", "identity", "GZIP", "br"].map(encoding), [undefined, undefined, "gzip", "br"]);
});

Deno.test("versions differ where both sides know, and the tag counts more than the date", () => {
  const pinned = { size: 5, etag: '"a"', lastModified: "then" };
  assertEquals(difference(pinned, { size: 5, etag: 'W/"a"', lastModified: "later" }), undefined);
  assertEquals(difference(pinned, { lastModified: "then" }), undefined);
  assertEquals(difference(pinned, { lastModified: "later" })?.[0], "time of change");
  assertEquals(difference(pinned, { etag: '"b"' }), ["entity tag", '"a"', '"b"']);
  assertEquals(difference(pinned, { size: 6, etag: '"a"' }), ["size", 5, 6]);
  assertEquals(difference({ size: 5 }, { size: 5, etag: '"b"' }), undefined);
});

Deno.test("conditions name a version that the server can compare", () => {
  assertEquals(conditions({ size: 1, etag: '"a"', lastModified: "then" }), { "if-match": '"a"' });
  assertEquals(conditions({ size: 1, etag: 'W/"a"', lastModified: "then" }), {});
  assertEquals(conditions({ size: 1, lastModified: "then" }), { "if-unmodified-since": "then" });
  assertEquals(conditions({ size: 1 }), {});
});

/** A page of this origin, while `work` runs. */
async function inPage(origin: string, work: () => Promise<void>): Promise<void> {
  const protocol = new URL(origin).protocol;
  Object.defineProperty(globalThis, "location", {
    value: { origin, protocol, href: `${origin}/` },
    configurable: true,
  });
  try {
    await work();
  } finally {
    Reflect.deleteProperty(globalThis, "location");
  }
}

/** What a browser does with requests to a server that names no origin: it fails, unless the page does not look at the answer. */
const refusing = (_: URL, { mode }: RequestInit) =>
  mode === "no-cors" ? Promise.resolve(new Response(null)) : Promise.reject(new TypeError("Failed to fetch"));

Deno.test("a page is told what the server of another origin must send", async () => {
  await inPage("https://page.org", async () => {
    const headers = { authorization: "secret" };
    const refused = await assertRejects(
      () => openHttp("https://data.org/scan.raw", { fetch: refusing, headers }),
      TilewiseError,
      '"Access-Control-Allow-Origin: https://page.org", "Access-Control-Allow-Headers: Range, authorization"',
    );
    assertEquals([refused.code, refused.details.expected], [
      "permission",
      "Access-Control-Allow-Origin: https://page.org",
    ]);
    assertEquals(refused.message.includes("secret"), false);
    const mixed = openHttp("http://data.org/scan.raw", { fetch: refusing });
    await assertRejects(() => mixed, TilewiseError, "may not read from http; use an https URL");
    const hidden = () => Promise.resolve(new Response(new Uint8Array(1), { status: 206 }));
    const error = await assertRejects(
      () => openHttp("https://data.org/scan.raw", { fetch: hidden }),
      TilewiseError,
      "Access-Control-Expose-Headers: Content-Range",
    );
    assertEquals(error.code, "permission");
  });
});

Deno.test("a server that cannot be reached is tried again, and the page is told both reasons", async () => {
  let requests = 0;
  const fetch = () => {
    requests++;
    return Promise.reject(new TypeError("Failed to fetch"));
  };
  const retry = { attempts: 2, firstPause: 1 };
  await inPage("https://page.org", async () => {
    const error = await assertRejects(
      () => openHttp("https://data.org/scan.raw", { fetch, retry }),
      TilewiseError,
      "If its server can be reached",
    );
    assertEquals([error.code, error.details["attempts"], requests], ["io", 2, 4]);
    const own = openHttp("https://page.org/scan.raw", { fetch, retry });
    const here = await assertRejects(() => own, TilewiseError, "the connection failed");
    assertEquals(/Access-Control/.test(here.message), false);
  });
});
