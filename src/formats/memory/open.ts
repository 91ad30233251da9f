/**
 * Opens what lies in memory.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import { throwIfAborted } from "../../errors.ts";
import type { OpenOptions } from "../common/options.ts";
import { openArray } from "./array.ts";
import { arrangementOf } from "./arrangement.ts";
import type { MemoryInput } from "./inputs.ts";
import { openCoo, openCsr } from "./sparse.ts";

/** The data set of an array or a sparse matrix in memory. */
export function openMemory(input: MemoryInput, options: OpenOptions): Dataset {
  throwIfAborted(options.signal);
  const said = arrangementOf(input, options);
  if ("csr" in input) return openCsr(input, said);
  return "coo" in input ? openCoo(input, said) : openArray(input, said);
}
