/** Part stores: in memory, in a folder, in an object store. */

import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { dirStore } from "../../../src/cluster/store/dir.ts";
import { memoryStore } from "../memory/store.ts";
import { openStore } from "../../../src/cluster/store/open.ts";
import { s3Store } from "../../../src/cluster/store/s3.ts";
import { failWrite } from "../../io/failing_writes.ts";
import { withFolder } from "../../cli/harness.ts";
import { storeConformance } from "./conformance.ts";
import { moto } from "./moto.ts";

Deno.test("a store in memory keeps its promises", async () => {
  const store = memoryStore();
  await storeConformance(() => Promise.resolve(store));
});

Deno.test("a store in a folder keeps its promises", async () => {
  await withFolder(async (folder) => {
    await storeConformance(() => dirStore(`dir:${folder}/store`));
    assertEquals((await openStore(`${folder}/store`)).url, `dir:${folder}/store`);
    const hidden = [...Deno.readDirSync(`${folder}/store/parts`)].filter(({ name }) => name.startsWith("."));
    assertEquals(hidden, []);
  });
});

const server = moto();
Deno.test({
  name: server
    ? "a store in an object store (moto) keeps its promises"
    : "a store in an object store: moto is not installed",
  ignore: !server,
  fn: async () => {
    await using running = await server!.start();
    const env: Readonly<Record<string, string>> = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    await running.makeBucket("scans");
    const open = (path: string) =>
      s3Store(`s3://scans/${path}?endpoint=${encodeURIComponent(running.url)}`, (name) => env[name]);
    await storeConformance(() => open("run7"));
    assertEquals(await (await open("run8")).list("parts/"), []);
    const missing = await assertRejects(
      () => s3Store("s3://scans/x?endpoint=http://127.0.0.1:1", () => undefined),
      TilewiseError,
    );
    assertEquals(missing.code, "permission");
  },
});

Deno.test("an object store whose clock is an hour ahead or behind is used with its time", async () => {
  for (const hours of [-1, 1]) {
    const parts = new Map<string, Uint8Array<ArrayBuffer>>();
    let refused = 0;
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async (request) => {
        const now = Date.now() + hours * 3_600_000;
        const [, year, month, day, hour, minute, second] =
          /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(request.headers.get("x-amz-date") ?? "") ?? [];
        const said = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
        const headers = { date: new Date(now).toUTCString() };
        const body = new Uint8Array(await request.arrayBuffer());
        if (!(Math.abs(said - now) < 15 * 60_000)) { // as AWS does; NaN as well
          refused++;
          return new Response("<Error><Code>RequestTimeTooSkewed</Code></Error>", { status: 403, headers });
        }
        const { pathname } = new URL(request.url);
        if (request.method === "PUT") parts.set(pathname, body);
        return new Response(parts.get(pathname) ?? null, {
          status: parts.has(pathname) ? 200 : 404,
          headers,
        });
      },
    );
    const env: Readonly<Record<string, string>> = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    const url = `http://127.0.0.1:${server.addr.port}`;
    const store = await s3Store(`s3://scans/x?endpoint=${encodeURIComponent(url)}`, (name) => env[name]);
    assertEquals(await store.commit("parts/a", [Uint8Array.of(1, 2)]), "new");
    assertEquals(await store.get("parts/a"), Uint8Array.of(1, 2));
    assertEquals(refused, 1); // once, not per request
  }
});

Deno.test("an object store that answers 409, 429 or 503 once is asked again; 400 is told at once", async () => {
  for (const [status, asked] of [[409, 2], [429, 2], [503, 2], [408, 2], [400, 1]] as const) {
    let requests = 0;
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async (request) => {
        await request.arrayBuffer();
        return new Response(null, { status: requests++ === 0 ? status : 200 });
      },
    );
    const env: Readonly<Record<string, string>> = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    const url = `http://127.0.0.1:${server.addr.port}`;
    const store = await s3Store(`s3://scans/x?endpoint=${encodeURIComponent(url)}`, (name) => env[name]);
    const end = await store.commit("parts/a", [Uint8Array.of(1, 2)]).catch((error: TilewiseError) =>
      error.code
    );
    assertEquals([end, requests], [asked === 2 ? "new" : "io", asked], `${status}`);
  }
});

Deno.test("a write that fails, the n-th for every n, leaves no part, and the next one succeeds", async () => {
  await withFolder(async (folder) => {
    for (const code of ["ENOSPC", "EROFS", "EIO"]) {
      for (let n = 1;; n++) {
        const name = `parts/${code.toLowerCase()}${n}`;
        const store = await dirStore(folder);
        const pieces = [new Uint8Array(10), new Uint8Array(3).fill(7)];
        using fault = await failWrite(n, code);
        const failed = await store.commit(name, pieces).then(() => undefined, (error: unknown) => error);
        if (fault.calls < n) break;
        fault[Symbol.dispose]();
        const isThere = await store.has(name);
        if (failed) assertEquals((failed as TilewiseError).code, code === "EROFS" ? "permission" : "io");
        assertEquals(isThere, failed === undefined, `call ${n}`);
        assertEquals(await store.commit(name, pieces), isThere ? "same" : "new");
        assertEquals(
          [...Deno.readDirSync(`${folder}/parts`)].filter((entry) => entry.name.startsWith(".")),
          [],
        );
      }
    }
  });
});

Deno.test("what interrupted writes left behind is not a part, and the next process that writes removes it", async () => {
  await withFolder(async (folder) => {
    const killed = ["old", "new"].map((name) => `${folder}/parts/.${name}.tw-99999999-0123456789abcdef.part`);
    await Deno.mkdir(`${folder}/parts`);
    for (const path of killed) await Deno.writeFile(path, new Uint8Array(2));
    const hours = (n: number) => new Date(Date.now() - n * 3_600_000);
    await Deno.utime(killed[0]!, hours(48), hours(48));
    const store = await dirStore(folder);
    assertEquals(await store.list("parts/"), []);
    await store.commit("parts/a1", [new Uint8Array(3)]);
    const left = [...Deno.readDirSync(`${folder}/parts`)].map(({ name }) => name).sort();
    assertEquals(left, [killed[1]!.replace(/^.*\//, ""), "a1"]);
  });
});

Deno.test("a store that cannot be there is refused", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    const store = await dirStore(`${folder}/file/store`);
    assertEquals((await assertRejects(() => store.commit("manifest", []), TilewiseError)).code, "not-found");
    for (const url of ["ftp://x/y", "s3:x", "dir:"]) {
      assertEquals((await assertRejects(() => openStore(url), TilewiseError)).code, "invalid");
    }
  });
});

Deno.test("a folder in the place of a part is named, and nothing is computed for it", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/parts/a`, { recursive: true });
    const store = await openStore(`dir:${folder}`);
    for (const call of [() => store.has("parts/a"), () => store.get("parts/a")]) {
      const error = await assertRejects(call, TilewiseError, "a folder lies in the place");
      assertEquals(error.code, "not-a-file");
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
