/** Folders are browsed below their root: folders and sources in parts; data sets stay data sets, and nothing leads out. */

import { assert, assertEquals } from "@std/assert";
import { open, read } from "@tilewise/tilewise";
import { pathOf } from "../../observations/expected.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";
import { site, type TestSite } from "./site.ts";
import { viewing } from "./viewing.ts";

interface Part {
  readonly folders: readonly string[];
  readonly sources: readonly {
    readonly name: string;
    readonly url: string;
    readonly files: readonly string[];
  }[];
  readonly total: number;
  readonly next?: number;
}

async function listed(served: TestSite, path: string): Promise<Part> {
  const { status, text } = await served.ask(`/data/list/${path}`);
  assertEquals(status, 200, path);
  return JSON.parse(text);
}

/** Opens a source from the server, as the page does. */
async function opened({ port, token }: TestSite, files: readonly string[], array?: string) {
  const urls = files.map((file) => `http://127.0.0.1:${port}/${file}`);
  const http = { headers: { authorization: `Bearer ${token}` } };
  return await open(urls.length === 1 ? urls[0]! : urls, { http, ...(array ? { array } : {}) });
}

/** A folder with one below it, in which there are data sets of each kind, names that are hidden, and links. */
async function filled(folder: string): Promise<void> {
  const inside = `${folder}/top/a b/ä`;
  await Deno.mkdir(inside, { recursive: true });
  await cli(["demo", "--scan", "8x4", "--side", "64", "--quiet", "--workers", "0", "-o", `${folder}/d`]);
  for (const { name } of Deno.readDirSync(`${folder}/d`)) {
    if (/^scan/.test(name)) await Deno.rename(`${folder}/d/${name}`, `${inside}/${name}`);
  }
  await writeNpy(`${inside}/x.npy`, "|u1", [2, 3], Uint8Array.of(1, 2, 3, 4, 5, 6));
  await cli(["convert", `${inside}/x.npy`, `${inside}/x.zarr`, "--quiet"]);
  await cli(["convert", `${inside}/x.npy`, `${folder}/plain.zarr`, "--quiet"]);
  await Deno.rename(`${folder}/plain.zarr`, `${inside}/called otherwise`);
  await Deno.symlink(pathOf("small.ms"), `${folder}/link.ms`);
  await new Deno.Command("cp", { args: ["-r", pathOf("small.ms"), `${inside}/small.ms`] }).output();
  for (const name of [".hidden", "empty"]) await Deno.mkdir(`${inside}/${name}`);
  for (const path of [".hidden/y.npy", ".y.npy"]) await Deno.copyFile(`${inside}/x.npy`, `${inside}/${path}`);
  await Deno.writeTextFile(`${inside}/secret.txt`, "secret");
  await writeNpy(`${folder}/out.npy`, "|u1", [1], Uint8Array.of(9));
  await Deno.mkdir(`${folder}/beside`);
  await Deno.copyFile(`${folder}/out.npy`, `${folder}/beside/out.npy`);
  await Deno.symlink("../../../out.npy", `${inside}/out.npy`);
  await Deno.symlink("../../../beside", `${inside}/out`);
  await Deno.symlink(".hidden", `${inside}/shown`);
  await Deno.symlink("../..", `${inside}/up`);
  await Deno.symlink("x.npy", `${inside}/link.npy`);
}

Deno.test("folders are rows, data sets stay data sets, and each opens as it does on disk", async () => {
  await withFolder(async (folder) => {
    await filled(folder);
    await using served = await site([`${folder}/top`]);
    const { sources: [root] } = JSON.parse((await served.ask("/data/sources.json")).text);
    assertEquals([root.name, root.url, root.files], ["top", "0", []]);
    assertEquals(await listed(served, "0"), await listed(served, "0/"));
    assertEquals((await listed(served, "0")).folders, ["a b"]);
    assertEquals((await listed(served, "0/a%20b")).folders, ["ä"]);
    const { folders, sources } = await listed(served, "0/a%20b/%C3%A4");
    assertEquals(folders, ["empty", "up"]);
    assertEquals(sources.map(({ name }) => name), [
      "called otherwise",
      "small.ms",
      "x.zarr",
      "link.npy",
      "scan.hdr",
      "x.npy",
    ]);
    const of = (wanted: string) => sources.find(({ name }) => name === wanted)!;
    for (const name of ["x.npy", "x.zarr", "called otherwise", "link.npy"]) {
      const { data, shape } = await read(await opened(served, of(name).files));
      assertEquals([[...data], shape], [[1, 2, 3, 4, 5, 6], [2, 3]], name);
    }
    assertEquals(of("scan.hdr").files.length, 5);
    assertEquals((await opened(served, of("scan.hdr").files)).navShape, [8, 4]);
    assertEquals((await opened(served, of("small.ms").files, "UVW")).shape[1], 3);
    assertEquals((await listed(served, "0/a%20b/%C3%A4/empty")).total, 0);
    assertEquals((await listed(served, of("x.npy").url.replace("data/", ""))).sources, [of("x.npy")]);
  });
});

/** Paths of lists and of data that lead to nothing: outside of the root, hidden, or no source. */
const REFUSED: readonly string[] = [
  ...[
    "..",
    "../",
    "../beside",
    "%2e%2e",
    "%2e%2e/beside",
    "..%2fbeside",
    "a%20b/..",
    "a%20b/../..",
    "a%20b/%2e",
  ],
  ...[
    "a%20b//%C3%A4",
    "/",
    "//",
    "a%20b/",
    "A%20B",
    "nothing",
    "%",
    "%ff",
    "a%00",
    "a%20b/%C3%A4%0a",
    "%252e%252e",
  ],
  ...[
    "a%20b/%C3%A4/out",
    "a%20b/%C3%A4/out/out.npy",
    "a%20b/%C3%A4/out/out.npy/out.npy",
    "a%20b/%C3%A4/out.npy",
  ],
  ...["a%20b/%C3%A4/out.npy/out.npy", "a%20b/%C3%A4/up/../beside", "a%20b/%C3%A4/up/../../beside"],
  ...[
    "a%20b/%C3%A4/.hidden",
    "a%20b/%C3%A4/.hidden/y.npy",
    "a%20b/%C3%A4/.y.npy",
    "a%20b/%C3%A4/.y.npy/.y.npy",
  ],
  ...["a%20b/%C3%A4/shown", "a%20b/%C3%A4/shown/y.npy", "a%20b/%C3%A4/shown/y.npy/y.npy"],
  ...[
    "a%20b/%C3%A4/secret.txt",
    "a%20b/%C3%A4/secret.txt/secret.txt",
    "a%20b%5c%C3%A4",
    "/etc",
    "/etc/passwd",
  ],
  ...[
    "file:%2f%2f%2fetc",
    "~",
    "$HOME",
    "__proto__",
    "constructor",
    "a".repeat(5000),
    "a/".repeat(3000) + "a",
  ],
];

/** Keys of data that lead to nothing, though their sources are there. */
const BESIDE: readonly string[] = [
  ...["x.npy", "x.npy/", "x.npy/scan.hdr", "x.npy/secret.txt", "x.npy/../x.npy/x.npy", "scan.hdr/x.npy"],
  ...[
    "x.zarr/x.zarr/../../secret.txt",
    "x.zarr/../x.npy/x.npy",
    "x.zarr/secret.txt",
    "small.ms/../secret.txt",
  ],
  ...["small.ms/secret.txt", "called%20otherwise/../secret.txt", "x.zarr/x.zarr/%2e%2e/%2e%2e/secret.txt"],
];

Deno.test(`${REFUSED.length + BESIDE.length} ways out of a folder that is browsed lead nowhere`, async () => {
  assert(new Set(REFUSED).size === REFUSED.length);
  await withFolder(async (folder) => {
    await filled(folder);
    await using served = await site([`${folder}/top`, `${folder}/out.npy`]);
    await listed(served, "0/a%20b/%C3%A4");
    const ways = [
      ...REFUSED.flatMap((path) => path === "/" ? [] : [`list/0/${path}`, `0/${path}`]),
      ...BESIDE.map((path) => `0/a%20b/%C3%A4/${path}`),
      ...[
        "list/",
        "list/1",
        "list/2",
        "list/-1",
        "list/0x0",
        "list/NaN",
        "list/00000000000",
        "list",
        "list/0a",
      ],
    ];
    for (const way of ways) {
      const { status, text } = await served.ask(`/data/${way}`);
      assert(status >= 400 && status < 500, `${way}: ${status} ${text.slice(0, 80)}`);
      assert(!/secret\b|root:|"sources"/.test(text), way);
    }
    assertEquals((await served.ask("/data/list/0", { authorization: "" })).status, 401);
    assertEquals((await served.ask("/data/list/0", { origin: "http://evil.example" })).status, 403);
    assertEquals((await served.ask("/data/list/0", {}, "POST")).status, 405);
  });
});

Deno.test("a folder that becomes a link to elsewhere is refused from then on", async () => {
  await withFolder(async (folder) => {
    await filled(folder);
    await using served = await site([`${folder}/top`]);
    const key = "0/a%20b/%C3%A4/x.npy/x.npy";
    assertEquals((await served.ask(`/data/${key}`)).status, 200);
    await Deno.rename(`${folder}/top/a b`, `${folder}/away`);
    await Deno.symlink("../away", `${folder}/top/a b`);
    for (const path of [key, "list/0/a%20b", "list/0/a%20b/%C3%A4"]) {
      assertEquals((await served.ask(`/data/${path}`)).status, 404, path);
    }
  });
});

Deno.test("thousands of names come in parts, and a part reads no more than its own", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/0.npy`, "|u1", [1], Uint8Array.of(9));
    for (let i = 1; i < 1500; i++) await Deno.link(`${folder}/0.npy`, `${folder}/${i}.npy`);
    for (let i = 0; i < 1500; i++) await Deno.mkdir(`${folder}/f${i}`);
    await using served = await site([folder]);
    const names: string[] = [];
    let parts = 0;
    for (let next: number | undefined = 0; next !== undefined; parts++) {
      const part: Part = await listed(served, `0?from=${next}`);
      assert(part.folders.length + part.sources.length <= 100);
      assertEquals(part.total, 3000);
      names.push(...part.folders, ...part.sources.map(({ name }) => name));
      next = part.next;
    }
    assertEquals(parts, 30);
    assertEquals([names[2], names[1499], names[1500], names[2999]], ["f2", "f1499", "0.npy", "1499.npy"]);
    assertEquals((await listed(served, "0?from=999999999")).sources, []);
  });
});

Deno.test("the link leads to the folder, or to the only source in it", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/x.npy`, "|u1", [2, 2], new Uint8Array(4));
    await viewing([folder], (link) => {
      assert(new URL(link).hash.endsWith("&v=1&url=data/0/x.npy/x.npy"), link);
      return Promise.resolve();
    });
    await Deno.mkdir(`${folder}/below`);
    await viewing([folder], (link) => {
      assert(new URL(link).hash.endsWith("&v=1&folder=0"), link);
      return Promise.resolve();
    });
  });
});
