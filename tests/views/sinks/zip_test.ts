/** Results in zip archives: entries that other programs find, also beyond 4 GiB and 65 535 entries. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { unzipSync } from "fflate";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { openSource } from "../../../src/io/open.ts";
import { ZipStore } from "../../../src/io/store/entries.ts";
import { createContext } from "../../../src/runner/context.ts";
import { crc32 } from "../../../src/space/crc32.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { entryHeader, zipEnd } from "../../../src/sinks/zarr/zip.ts";
import { arrayWith, digestOf, withFolder } from "./data.ts";

const { samples, ...IMAGE } = await arrayWith([70, 90], "uint16");

Deno.test("an archive has the files of a folder, is opened again, and is the same for any workers", async () => {
  await withFolder(async (folder) => {
    const digests = new Set<string>();
    for (const [workers, format] of [[0, 2], [0, 3], [2, 3]] as const) {
      await using context = createContext({ workers });
      for (const name of ["a.zarr", "a.ome.zarr"]) {
        const path = `${folder}/${name}`;
        const options = { chunk: [32, 32], format, ...(name === "a.zarr" ? {} : { levels: 2 }) };
        await mapViews(IMAGE, copySamples(), { sink: fileSink(path, options), context });
        await mapViews(IMAGE, copySamples(), { sink: fileSink(`${path}.zip`, options), context });
        const entries = unzipSync(await Deno.readFile(`${path}.zip`));
        for (const [file, bytes] of Object.entries(entries)) {
          assertEquals(bytes, await Deno.readFile(`${path}/${file}`), `${name} ${file}`);
        }
        assertEquals(Object.keys(entries).length, await countFiles(path), name);
        const { data } = await mapViews(await open(`${path}.zip`), copySamples(), { context });
        assertEquals(data, samples);
        digests.add(await digestOf(`${path}.zip`));
      }
    }
    assertEquals(digests.size, 4);
  });
});

async function countFiles(folder: string): Promise<number> {
  let count = 0;
  for (const { name, isFile } of Deno.readDirSync(folder)) {
    count += isFile ? 1 : await countFiles(`${folder}/${name}`);
  }
  return count;
}

Deno.test("an archive of more than 4 GiB and 65 535 entries is read to its last entry", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/large.zip`;
    const content = Uint8Array.of(3, 1, 4);
    const checksum = crc32(content);
    const far = 2 ** 32 + 1000;
    const entries = Array.from({ length: 65_600 }, (_, i) => {
      return { name: `c-${i}`, size: 3, checksum, offset: i < 65_599 ? 100 * i : far };
    });
    {
      using file = await Deno.open(path, { write: true, create: true });
      const put = async (bytes: Uint8Array, position: number) => {
        await file.seek(position, Deno.SeekMode.Start);
        await file.write(bytes);
      };
      for (const entry of [entries[0]!, entries[7]!, entries.at(-1)!]) {
        const head = entryHeader(entry);
        await put(head, entry.offset);
        await put(content, entry.offset + head.length);
      }
      for (const { bytes, position } of zipEnd(entries, far + 100)) await put(bytes, position);
    }
    const source = await openSource(path);
    const store = await ZipStore.open(source, []);
    for (const i of [0, 7, 65_599]) assertEquals((await store.get(`c-${i}`, 9))?.bytes, content, String(i));
    await source[Symbol.asyncDispose]();
  });
});

Deno.test("what an archive cannot have is refused: shards, and arrays without samples", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0 });
    const shards = assertThrows(
      () => fileSink(`${folder}/a.zarr.zip`, { chunk: [16, 16], shard: [32, 32] }),
      TilewiseError,
    );
    assertEquals([shards.code, shards.details.option], ["invalid", "shard"]);
    const nothing = await open({ data: new Uint8Array(0), shape: [0, 5] });
    const empty = fileSink(`${folder}/a.zarr.zip`);
    const error = await assertRejects(
      () => mapViews(nothing, copySamples(), { sink: empty, context }),
      TilewiseError,
    );
    assertEquals(error.code, "unsupported");
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});
