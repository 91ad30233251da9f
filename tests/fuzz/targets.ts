/**
 * What is damaged: sample files of each format, and packed bytes for each kernel that unpacks.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import type { OpenOptions } from "../../src/formats/open.ts";
import { FORMATS } from "../../src/formats/registry.ts";
import { csrFiles, sparseCounts } from "../udf/csr_data.ts";
import { filesOf, formatIdOf, optionsOf, pathOf, READABLE } from "../formats/samples.ts";

/** A good file. */
export interface Sample {
  /** Name, with the ending that formats look at. */
  readonly name: string;
  /** Its bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How it is opened. */
  readonly options: OpenOptions;
  /** Files beside it. */
  readonly siblings: readonly File[];
  /** The file that is opened, where the damaged one lies beside it. */
  readonly lead?: File;
}

/** Larger files are not used: an execution is to take a millisecond. */
const MOST_BYTES = 2 ** 17;

/** Files beside them are not damaged, so they may be larger. */
const MOST_SIBLING_BYTES = 2 ** 22;

/** Samples of the repository itself, by format. */
const OWN: Readonly<Record<string, URL>> = {
  hdf5: new URL("../data/hdf5/", import.meta.url),
  raw_csr: new URL("../data/raw_csr/", import.meta.url),
};

/** Files that are nothing by themselves: samples without a header, all parts of a family but the first. */
const BESIDE = /\.bin$|^family_[1-9]/;

/** Formats that can be damaged. */
export function parsers(): string[] {
  return FORMATS.map(({ id }) => id).filter((id) => samplesOf(id).length > 0);
}

/** The samples of a format, smallest first. */
export function samplesOf(format: string): Sample[] {
  const found = READABLE.filter((entry) => entry.expect === "read" && formatIdOf(entry) === format)
    .flatMap((entry) => {
      if (Deno.statSync(pathOf(entry)).size > MOST_BYTES) return [];
      const [own, ...others] = filesOf(entry).filter((file) => !file.endsWith("/")).map(load);
      const siblings = others.flatMap(({ name, bytes }) =>
        bytes.length <= MOST_SIBLING_BYTES ? [new File([bytes], name)] : []
      );
      return [{ ...own!, options: optionsOf(entry), siblings }];
    });
  const folder = OWN[format];
  const own = folder ? [...Deno.readDirSync(folder)].filter(({ name }) => /\.(h5|toml|bin)$/.test(name)) : [];
  const made = own.filter(({ name }) => !BESIDE.test(name)).map(({ name }) => ({
    name,
    bytes: Deno.readFileSync(new URL(name, folder)),
    options: {},
    siblings: own.filter((other) => other.name !== name).map((other) =>
      new File([Deno.readFileSync(new URL(other.name, folder))], other.name)
    ),
  }));
  const sparse = format === "raw_csr" ? sparseSamples() : [];
  return [...found, ...made, ...sparse].toSorted((a, b) => a.bytes.length - b.bytes.length);
}

/** A sparse scan: its description, and each of the arrays that it names. */
function sparseSamples(): Sample[] {
  const [frames, pixels] = [12, 30];
  const { indptr, indices, data } = csrFiles(sparseCounts(frames, pixels), pixels, "uint16");
  const text = `[params]\nfiletype = "raw_csr"\nnav_shape = [3, 4]\nsig_shape = [5, 6]\n[raw_csr]\n` +
    `indptr_file = "rows.bin"\nindptr_dtype = "<i8"\nindices_file = "columns.bin"\nindices_dtype = "<i4"\n` +
    `data_file = "values.bin"\ndata_dtype = "<u2"\n`;
  const parts = { "rows.bin": indptr, "columns.bin": indices, "values.bin": data };
  const files = Object.entries(parts).map(([name, bytes]) => new File([bytes], name));
  const lead = new File([text], "scan.toml");
  const arrays = Object.entries(parts).map(([name, bytes]) => ({
    name,
    bytes,
    options: {},
    lead,
    siblings: files.filter((file) => file.name !== name),
  }));
  return [
    { name: lead.name, bytes: new TextEncoder().encode(text), options: {}, siblings: files },
    ...arrays,
  ];
}

function load(file: string): { name: string; bytes: Uint8Array<ArrayBuffer> } {
  const path = pathOf({ file });
  return { name: file.replace(/^.*\//, ""), bytes: Deno.readFileSync(path) };
}

/** Where findings are kept. */
export const FINDINGS: string = fromFileUrl(new URL("../data/fuzz/", import.meta.url));
