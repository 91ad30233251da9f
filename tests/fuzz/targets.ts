/**
 * What is damaged: sample files of each format, and packed bytes for each kernel that unpacks.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import type { OpenOptions } from "../../src/formats/open.ts";
import { FORMATS } from "../../src/formats/registry.ts";
import {
  type Entry,
  filesOf,
  formatIdOf,
  isFolder,
  optionsOf,
  pathOf,
  READABLE,
  TIFFS,
} from "../formats/conformance/samples.ts";

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
const OWN: Readonly<Record<string, readonly string[]>> = {
  fits: ["fits"],
  hdf5: ["hdf5", "hdf5_moved", "bzip2"],
  raw_csr: ["raw_csr"],
};

const folderOf = (name: string) => new URL(`../data/${name}/`, import.meta.url);

/** Files that are nothing by themselves: samples without a header, all parts of a family but the first. */
const BESIDE = /\.bin$|^family_(\w+_)?[1-9]/;

/** Formats that can be damaged, and the archives among Zarr stores. */
export function parsers(): string[] {
  return [...FORMATS.map(({ id }) => id), "zip"].filter((id) => samplesOf(id).length > 0);
}

/** The samples of a format, smallest first. */
export function samplesOf(format: string): Sample[] {
  const found = [...READABLE, ...TIFFS].filter((entry) =>
    entry.expect === "read" && targetOf(entry) === format
  )
    .flatMap((entry) => {
      if (isFolder(entry)) return storeSamples(entry);
      if (Deno.statSync(pathOf(entry)).size > MOST_BYTES) return [];
      const [own, ...others] = filesOf(entry).filter((file) => !file.endsWith("/")).map(load);
      const siblings = others.flatMap(({ name, bytes }) =>
        bytes.length <= MOST_SIBLING_BYTES ? [new File([bytes], name)] : []
      );
      return [{ ...own!, options: optionsOf(entry), siblings }];
    });
  const made = (OWN[format] ?? []).flatMap((name) => ownSamples(folderOf(name)));
  return [...found, ...made, ...sparseArrays(format), ...tables(format)].toSorted((a, b) =>
    a.bytes.length - b.bytes.length
  );
}

/** What damaged files of an entry are a target for. */
function targetOf(entry: Entry): string {
  return entry.file.startsWith("zarr/zip/") ? "zip" : formatIdOf(entry);
}

/** Every document of a store, and one of its chunks, with the others beside it. */
function storeSamples(entry: Entry): Sample[] {
  const all = filesOf(entry).map((file) => ({ name: file, bytes: Deno.readFileSync(pathOf({ file })) }));
  if (all.reduce((sum, { bytes }) => sum + bytes.length, 0) > MOST_BYTES) return [];
  const isDocument = ({ name }: { name: string }) => /(^|\/)(\.z\w+|zarr\.json)$/.test(name);
  const chunk = all.find((one) => !isDocument(one));
  return all.filter((one) => isDocument(one) || one === chunk).map((own) => ({
    ...own,
    options: optionsOf(entry),
    siblings: all.filter((one) => one !== own).map(({ name, bytes }) => new File([bytes], name)),
  }));
}

/** Every file of a folder, with the others beside it. */
function ownSamples(folder: URL): Sample[] {
  const own = [...Deno.readDirSync(folder)].filter(({ name }) => /\.(h5|toml|bin|fits)$/.test(name));
  return own.filter(({ name }) => !BESIDE.test(name)).map(({ name }) => ({
    name,
    bytes: Deno.readFileSync(new URL(name, folder)),
    options: {},
    siblings: own.filter((other) => other.name !== name).map((other) =>
      new File([Deno.readFileSync(new URL(other.name, folder))], other.name)
    ),
  }));
}

/** The arrays that the description of a sparse scan names. */
function sparseArrays(format: string): Sample[] {
  if (format !== "raw_csr") return [];
  const [lead, ...arrays] = ["scan.toml", "rows.bin", "columns.bin", "values.bin"].map((name) =>
    new File([Deno.readFileSync(new URL(name, folderOf(format)))], name)
  );
  return arrays.map(({ name }) => ({
    name,
    bytes: Deno.readFileSync(new URL(name, folderOf(format))),
    options: {},
    lead: lead!,
    siblings: arrays.filter((file) => file.name !== name),
  }));
}

/** Every file of tables of casacore, with the others beside it. */
function tables(format: string): Sample[] {
  if (format !== "casacore") return [];
  return tablesIn("casacore").flatMap((at) => {
    const names = [...Deno.readDirSync(at)].map(({ name }) => name).filter((name) =>
      /^table\.(dat|f)/.test(name)
    );
    const read = (name: string) => Deno.readFileSync(new URL(name, at));
    const lead = new File([read("table.dat")], "table.dat");
    return names.map((name) => ({
      name,
      bytes: read(name),
      options: {},
      siblings: names.filter((other) => other !== name).map((other) => new File([read(other)], other)),
      ...(name === "table.dat" ? {} : { lead }),
    }));
  });
}

/** Folders with a table, as deep as they lie. */
function tablesIn(folder: string): URL[] {
  const names = [...Deno.readDirSync(folderOf(folder))];
  const own = names.some(({ name }) => name === "table.dat") ? [folderOf(folder)] : [];
  return [
    ...own,
    ...names.filter((one) => one.isDirectory).flatMap(({ name }) => tablesIn(`${folder}/${name}`)),
  ];
}

function load(file: string): { name: string; bytes: Uint8Array<ArrayBuffer> } {
  const path = pathOf({ file });
  return { name: file.replace(/^.*\//, ""), bytes: Deno.readFileSync(path) };
}

/** Where findings are kept. */
export const FINDINGS: string = fromFileUrl(new URL("../data/fuzz/", import.meta.url));
