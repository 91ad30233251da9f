/**
 * Every sample file of every format passes the conformance suite; a new file with an entry in the expectations is a
 * new subject.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { openAllStored as openAll, type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { createContext } from "../../../src/runner/context.ts";
import { ALL_CASES } from "../../suite/cases.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";
import { formatConformance, kindOf, type OpenArray } from "./conformance.ts";
import { sha256 } from "../read_all.ts";
import {
  arrayFor,
  type Entry,
  filesOf,
  FOLDER,
  isFolder,
  numericArrays,
  optionsOf,
  pathOf,
  READABLE,
} from "./samples.ts";

async function asFiles(entry: Entry): Promise<File[]> {
  return await Promise.all(
    filesOf(entry).map(async (file) => {
      const bytes = await Deno.readFile(new URL(file, FOLDER));
      return new File([bytes], isFolder(entry) ? file : file.replace(/^.*\//, ""));
    }),
  );
}

/** A file of the folder, if it is there: formats ask for files beside them that need not be. */
function read(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(new URL(path, FOLDER));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The Zarr stores that the suite is given: all kinds of chunks; the others differ in what is in their chunks. */
const STORES = new Set([
  "zarr/gdal/v3_transposed_sharding.zarr",
  "zarr/written/v2_4d_blosc_zstd_bitshuffle_F_be.zarr",
  "zarr/written/v3_4d_sharded_zstd.zarr",
  "zarr/zarr-java/ome_v0.4",
  "zarr/zip/data.zipped_from_within.zarr.zip",
]);

Deno.test({
  name: "every sample file passes the conformance suite",
  ignore: READABLE.length === 0, // ../shared is not beside this checkout
  fn: async (test) => {
    await using inline = createContext({ memory: 2 ** 28, workers: 0 });
    await using workers = createContext({ memory: 2 ** 28, workers: 2 });
    const served = new Map<string, Uint8Array>();
    await using server = serve((question) => {
      const path = decodeURIComponent(question.path.replace(/^\//, ""));
      const bytes = served.get(path) ?? read(path);
      if (!bytes) return { status: 404, body: new Uint8Array() };
      served.set(path, bytes);
      return rightAnswer(bytes, question);
    });
    const base = new URL(".", server.url);
    const met = new Set<string>();
    for (const { entry, dataset: { array: name }, decoded } of await subjects()) {
      const opener = (source: Parameters<typeof open>[0]): OpenArray => (options: OpenOptions) =>
        open(source, { ...optionsOf(entry), ...options, ...(name ? { array: name } : {}) });
      const sources = {
        file: opener(fromFileUrl(new URL(entry.file, FOLDER))),
        blob: opener(await asFiles(entry)),
        http: opener(urlsOf(entry).map((file) => new URL(file.replace("#", "%23"), base))),
      };
      await test.step(entry.file, async () => {
        const kind = kindOf(await sources.file({}));
        const again = met.has(kind) && !ALL_CASES;
        met.add(kind);
        await formatConformance(sources.file, decoded, { inline, workers, sources, again });
      });
    }
  },
});

/** What the suite is given: small scans with a few frames first, as the first one of a kind passes all of it. */
async function subjects(): Promise<Subject[]> {
  const all: Subject[] = [];
  for (const entry of READABLE.filter(({ file }) => !file.startsWith("zarr/") || STORES.has(file))) {
    const subject = await largest(entry);
    if (subject) all.push(subject);
  }
  return all.sort((a, b) => weight(a.dataset) - weight(b.dataset));
}

/** About how long the suite takes for a scan; more than of any other where there are too few frames for parts of it. */
function weight({ layout: { storage }, frames, byteLength }: StoredDataset): number {
  const chunks = storage.kind === "chunks" ? storage.chunks.sizes.length : 0;
  return (frames < 3 ? 2 ** 32 : 0) + byteLength + 2 ** 12 * chunks;
}

/** What is opened over HTTP: files, or the folder. */
function urlsOf(entry: Entry): string[] {
  return isFolder(entry) ? [`${entry.file}/`] : filesOf(entry);
}

/** An array of a sample file, and its samples, which other programs have read alike. */
interface Subject {
  readonly entry: Entry;
  readonly dataset: StoredDataset;
  readonly decoded: Uint8Array;
}

/** The largest array of a file. */
async function largest(entry: Entry): Promise<Subject | undefined> {
  const found = await openAll(pathOf(entry), optionsOf(entry)).catch((error) => {
    if (isTilewiseError(error)) return [];
    throw error;
  });
  const arrays = numericArrays(entry).map((expected, i) => ({
    expected,
    dataset: arrayFor(found, expected, i),
  }))
    .filter(({ dataset }) => dataset !== undefined && dataset.sigShape.length > 0)
    .sort((a, b) => b.dataset!.byteLength - a.dataset!.byteLength);
  if (arrays.length === 0) return undefined;
  const { expected, dataset } = arrays[0]!;
  if (dataset!.byteLength === 0) return { entry, dataset: dataset!, decoded: new Uint8Array() };
  const { stored } = dataset!;
  const decoded = await bytesOf(dataset!);
  assertEquals(sha256(stored ? await bytesOf(stored) : decoded), expected.sha256_all);
  return { entry, dataset: dataset!, decoded };
}

async function bytesOf(dataset: StoredDataset): Promise<Uint8Array> {
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
