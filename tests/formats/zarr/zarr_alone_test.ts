/** Each array of a store stands alone: a bad one is told, and the others are read. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { type DType, dtypeInfo, DTYPES } from "../../../src/space/dtype.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { numpyType } from "../../../src/formats/zarr/codecs.ts";
import { withFolder } from "../../cli/harness.ts";
import { failure } from "../helpers.ts";
import { ALL, edited, samplesOf, serving, smallStore } from "./stores.ts";
import { type Entries, json, listed, written, zipped } from "./writer.ts";

type Document = Record<string, unknown>;
type Change = (json: Document) => void;

const GROUP: Readonly<Record<2 | 3, [string, Document]>> = {
  2: [".zgroup", { zarr_format: 2 }],
  3: ["zarr.json", { zarr_format: 3, node_type: "group" }],
};

/** A group with the arrays `bad` and `good`, of which one is changed. */
function twoArrays(version: 2 | 3, change: Change): Entries {
  const entries = smallStore({ version, path: "bad" }, smallStore({ version, path: "good" }));
  const [name, group] = GROUP[version];
  entries.set(name, json(group));
  return edited(entries, `bad/${version === 2 ? ".zarray" : "zarr.json"}`, change);
}

/** The same store with the documents of its arrays in that of the group. */
function consolidated(version: 2 | 3, entries: Entries): Entries {
  const documents = [...entries].filter(([key]) => /z(arr\.json|array)$/.test(key) && key.includes("/"));
  const metadata = Object.fromEntries(documents.map(([key, bytes]) =>
    [
      version === 2 ? key : key.replace("/zarr.json", ""),
      JSON.parse(new TextDecoder().decode(bytes)) as unknown,
    ] as const
  ));
  const [name, group] = GROUP[version];
  return version === 2
    ? new Map(entries).set(
      ".zmetadata",
      json({ zarr_consolidated_format: 1, metadata: { [name]: group, ...metadata } }),
    )
    : new Map(entries).set(name, json({ ...group, consolidated_metadata: { kind: "inline", metadata } }));
}

const set = (key: string, value: unknown): Change => (json) => json[key] = value;

/** What can be wrong with one array, per version, and what is told. */
const WRONG: Readonly<Record<2 | 3, readonly (readonly [Change, string])[]>> = {
  3: [
    [set("data_type", { configuration: {} }), "no sample type"],
    [set("data_type", 7), "no sample type"],
    [set("fill_value", "much"), "not a fill value"],
    [set("shape", [-1, 2]), "its shape is"],
    [set("codecs", [{ name: "bytes" }, { name: "magic" }]), "codec magic"],
    [set("codecs", 5), "list of codecs"],
    [set("zarr_format", 4), "zarr_format is 4"],
    [set("node_type", "tree"), 'type "tree"'],
    [set("chunk_grid", { name: "odd" }), 'grid "odd"'],
    [set("chunk_key_encoding", "odd"), '"odd"'],
    [set("key", {}), "must be understood"],
  ],
  2: [
    [set("dtype", "<q9"), "samples are"],
    [set("dtype", "many"), "not a sample type"],
    [set("fill_value", "much"), "not a fill value"],
    [set("chunks", [0, 4]), "shape of chunks"],
    [set("compressor", { id: "magic" }), "codec magic"],
    [set("filters", [{ id: "delta", dtype: "many" }]), "not a sample type"],
    [set("dimension_separator", "+"), "dimension_separator"],
    [set("order", "Z"), "its order"],
    [set("zarr_format", 4), "zarr_format is 4"],
  ],
};

function readsGood(arrays: readonly StoredDataset[], words: string): void {
  assertEquals(arrays.map(({ array }) => array), ["good"]);
  if (words !== "samples are") assertStringIncludes(arrays[0]!.warnings.join(), words); // no numbers: left out
}

for (const version of [2, 3] as const) {
  Deno.test(`Zarr ${version}: one bad array is told with its reason, the other is read`, async () => {
    for (const [change, words] of WRONG[version]) {
      const entries = twoArrays(version, change);
      const all = [entries, consolidated(version, entries)];
      for (const store of all) {
        readsGood(await openAll(listed(store)), words);
        readsGood(await openAll(zipped(store, 0)), words);
        readsGood([await open(listed(store))], words);
        assertEquals(await samplesOf(listed(store)), ALL);
        assertEquals(await samplesOf(listed(store), { array: "good" }), ALL);
        const error = await open(listed(store), { array: "bad" }).catch((error: Error) => error);
        assert(error instanceof Error && error.message.includes(words), `${words}: ${error}`);
      }
      await using server = serving(consolidated(version, entries));
      assertEquals(await samplesOf(new URL("/store.zarr/", server.url)), ALL);
    }
  });
}

Deno.test("a document that is not JSON, and a chunk that is too large, leave the other arrays", async () => {
  const entries = twoArrays(3, () => {});
  const torn = new Map(entries).set("bad/zarr.json", new TextEncoder().encode("{"));
  readsGood(await openAll(listed(torn)), "not JSON");
  const large = new Map(entries).set("bad/c/0/0", new Uint8Array(9000));
  readsGood(await openAll(listed(large)), "has 9000 bytes");
  const error = await failure(open(listed(torn), { array: "none" }), "not-found");
  assertStringIncludes(error.message, '"good"');
  const only = new Map([...torn].filter(([key]) => !key.startsWith("good/")));
  assertStringIncludes((await failure(openAll(listed(only)), "malformed")).message, "not JSON");
});

Deno.test("more bad arrays than are told are counted", async () => {
  let entries = twoArrays(3, set("fill_value", "much"));
  for (let n = 0; n < 10; n++) {
    entries = edited(
      smallStore({ path: `bad${n}` }, entries),
      `bad${n}/zarr.json`,
      set("fill_value", "much"),
    );
  }
  const [good] = await openAll(listed(entries));
  assertEquals([good!.warnings.length, good!.warnings.at(-1)], [9, "and 3 more such problems"]);
});

Deno.test("names may have a colon, in folders, lists, archives and on servers", async () => {
  for (const path of ["a:b", "c:/a", "a:b/c:d"]) {
    const entries = smallStore({ path }).set("zarr.json", json(GROUP[3][1]));
    await withFolder(async (folder) => {
      const store = await written(entries, `${folder}/a.zarr`);
      await using server = serving(consolidated(3, entries));
      for (
        const source of [store, listed(entries), zipped(entries, 6), new URL("/store.zarr/", server.url)]
      ) {
        assertEquals(await samplesOf(source), ALL);
        assertEquals(await samplesOf(source, { array: path }), ALL);
      }
    });
  }
});

Deno.test("a type is named by a text, or by an object", async () => {
  assertEquals(
    await samplesOf(listed(edited(smallStore(), "zarr.json", set("data_type", { name: "uint8" })))),
    ALL,
  );
});

Deno.test("NumPy's names of types mean the same with and without an order, and by letters", () => {
  const little = (dtype: DType) => ({ dtype, byteOrder: "little" });
  for (const dtype of DTYPES) {
    const { kind, itemSize } = dtypeInfo(dtype);
    for (
      const text of [
        dtype,
        `${kind}${itemSize}`,
        `<${kind}${itemSize}`,
        `|${kind}${itemSize}`,
        `=${kind}${itemSize}`,
      ]
    ) {
      assertEquals(numpyType(text, "a/.zarray"), little(dtype), text);
    }
    const order = itemSize > 1 ? "big" : "little";
    assertEquals(numpyType(`>${kind}${itemSize}`, "a/.zarray"), { dtype, byteOrder: order });
  }
  assertEquals(numpyType("?", "a/.zarray"), little("bool"));
});

Deno.test("chunks are found by the other separator where none has the one of the document; it is told", async () => {
  for (const version of [2, 3] as const) {
    for (const separator of [".", "/"] as const) {
      const told = separator === "." ? "/" : ".";
      const change: Change = version === 2
        ? set("dimension_separator", told)
        : set("chunk_key_encoding", { name: "default", configuration: { separator: told } });
      const key = version === 2 ? ".zarray" : "zarr.json";
      const whole = edited(smallStore({ version, separator }), key, change);
      const first = version === 2 ? `0${separator}0` : `c${separator}0${separator}0`;
      const partly = new Map(whole);
      partly.delete(first);
      await withFolder(async (folder) => {
        for (const [i, entries] of [whole, partly].entries()) {
          const expected = i === 0 ? ALL : ALL.map((n) => n < 16 && n % 8 < 4 ? 9 : n);
          for (
            const source of [
              await written(entries, `${folder}/${i}.zarr`),
              listed(entries),
              zipped(entries, 0),
            ]
          ) {
            assertEquals(await samplesOf(source), expected, `${version} ${separator}`);
            assertStringIncludes((await open(source)).warnings.join(), `by names with "${separator}"`);
          }
        }
      });
    }
  }
});

Deno.test("a server is asked for the other separator where the document has no word for it", async () => {
  const nested = edited(
    smallStore({ version: 2, separator: "/" }),
    ".zarray",
    (json) => delete json["dimension_separator"],
  );
  await using server = serving(nested);
  assertEquals(await samplesOf(new URL("/store.zarr/", server.url)), ALL);
  const flat = edited(
    smallStore({ version: 2, separator: "." }),
    ".zarray",
    (json) => delete json["dimension_separator"],
  );
  await using other = serving(flat);
  const source = new URL("/store.zarr/", other.url);
  assertEquals([await samplesOf(source), (await open(source)).warnings], [ALL, []]);
});

Deno.test("an array that was never written has no other separator", async () => {
  const entries = smallStore({ version: 2, missing: () => true });
  for (const key of entries.keys()) if (!key.startsWith(".")) entries.delete(key);
  assertEquals(await samplesOf(listed(entries)), ALL.map(() => 9));
  assertEquals((await open(listed(entries))).warnings, []);
});

Deno.test("series of bioformats2raw come in their order, and the first image is taken", async () => {
  for (const version of [2, 3] as const) {
    const entries: Entries = new Map();
    const place = (path: string, attributes: object) => {
      const own = version === 3 ? { ome: { version: "0.5", ...attributes } } : attributes;
      if (version === 3) entries.set(`${path}zarr.json`, json({ ...GROUP[3][1], attributes: own }));
      else entries.set(`${path}.zgroup`, json(GROUP[2][1])).set(`${path}.zattrs`, json(own));
    };
    const axes = [{ name: "y", type: "space" }, { name: "x", type: "space" }];
    for (const name of ["b", "a", "c"]) {
      place(`${name}/`, { multiscales: [{ axes, datasets: [{ path: "0" }] }] });
      smallStore({ version, path: `${name}/0`, shape: name === "c" ? [9, 8] : [6, 8] }, entries);
    }
    place("", { "bioformats2raw.layout": 3 });
    place("OME/", { series: ["b", "c", "a"] });
    for (const store of [entries, consolidated(version, entries)]) {
      const groups = store === entries ? store : withGroups(version, store);
      assertEquals((await openAll(listed(groups))).map(({ array }) => array), ["b/0", "c/0", "a/0"]);
      const taken = await open(listed(groups));
      assertEquals(taken.array, "b/0");
      assertStringIncludes(taken.warnings.join(), 'Took the first image, "b/0"; there are also "c/0", "a/0"');
    }
    await using server = serving(entries);
    assertEquals((await openAll(new URL("/store.zarr/", server.url))).map(({ array }) => array), [
      "b/0",
      "c/0",
      "a/0",
    ]);
  }
});

/** Consolidated documents with those of groups. */
function withGroups(version: 2 | 3, entries: Entries): Entries {
  const key = version === 2 ? ".zmetadata" : "zarr.json";
  return edited(entries, key, (found) => {
    const metadata = version === 2
      ? found["metadata"] as Document
      : (found["consolidated_metadata"] as Document)["metadata"] as Document;
    for (const [path, bytes] of entries) {
      if (!/^\w+\/(zarr\.json|\.zgroup|\.zattrs)$/.test(path) && path !== ".zattrs") continue;
      metadata[version === 2 ? path : path.replace("/zarr.json", "")] = JSON.parse(
        new TextDecoder().decode(bytes),
      );
    }
    if (version === 3) found["attributes"] = { ome: { "bioformats2raw.layout": 3 } };
  });
}
