/**
 * Opens what lies in memory.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { cannot, throwIfAborted, TilewiseError } from "../../errors.ts";
import type { OpenOptions } from "../common/options.ts";
import { openArray } from "./array.ts";
import type { Arrangement, ArrayInput, CooInput, CsrInput, MemoryInput } from "./inputs.ts";
import { openCoo, openCsr } from "./sparse.ts";
import { checkNames, type OptionNames } from "../../options.ts";
import { parseDType } from "../../space/dtype.ts";

const ARRANGEMENT: Readonly<Record<keyof Arrangement, true>> = {
  nav: true,
  sig: true,
  sigDims: true,
  syncOffset: true,
  dtype: true,
  name: true,
};
/** Options that `open` sees to by itself. */
const APPLIED_LATER = ["signal", "navAxes", "sigAxes", "select"];
const MEMBERS = {
  data: {
    ...ARRANGEMENT,
    data: true,
    shape: true,
    stride: true,
    valid: true,
    axes: true,
    values: true,
  } satisfies OptionNames<
    ArrayInput
  >,
  csr: { ...ARRANGEMENT, csr: true } satisfies OptionNames<CsrInput>,
  coo: { ...ARRANGEMENT, coo: true } satisfies OptionNames<CooInput>,
};
const FORMS = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];

/**
 * What a user said of an array, beside it or among the options of `open`. Refuses what is said in both and differs, and
 * options that mean nothing here.
 */
function arrangementOf(input: MemoryInput, options: OpenOptions): Arrangement & { name: string } {
  const form = FORMS.find((one) => one in input)!;
  checkNames(`An array in memory, { ${form}, … }, has no member`, input, Object.keys(MEMBERS[form]));
  const { name = "memory" } = input;
  const said: Record<string, unknown> = { name };
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || APPLIED_LATER.includes(key) || key === "format" && value === "memory") {
      continue;
    }
    if (key in ARRANGEMENT) said[key] = value;
    else throw useless(key, name);
  }
  for (const key of Object.keys(ARRANGEMENT) as (keyof Arrangement)[]) {
    const value = input[key];
    if (value === undefined) continue;
    if (key in said && !isSame(key, said[key], value)) throw contradiction(key, value, said[key], name);
    said[key] = value;
  }
  return said as unknown as Arrangement & { name: string };
}

/** Whether both say the same; types have several names. */
function isSame(key: string, a: unknown, b: unknown): boolean {
  const plain = (value: unknown) => key === "dtype" ? parseDType(String(value)) : JSON.stringify(value);
  return plain(a) === plain(b);
}

function useless(option: string, file: string): TilewiseError {
  const known = Object.keys(ARRANGEMENT).filter((key) => key !== "name").join(", ");
  const text = `Cannot open ${file} with the option ${option}: it is an array in memory; it takes ${known}`;
  return new TilewiseError("invalid", text, { file, found: option, expected: known });
}

function contradiction(key: string, beside: unknown, option: unknown, file: string): TilewiseError {
  const [found, expected] = [JSON.stringify(beside), JSON.stringify(option)];
  const text = `its ${key} is ${found}, the option ${key} is ${expected}; say it once`;
  return cannot("open", file, "invalid", text, { found, expected });
}

/** The data set of an array or a sparse matrix in memory. */
export function openMemory(input: MemoryInput, options: OpenOptions): StoredDataset {
  throwIfAborted(options.signal);
  const said = arrangementOf(input, options);
  if ("csr" in input) return openCsr(input, said);
  return "coo" in input ? openCoo(input, said) : openArray(input, said);
}
