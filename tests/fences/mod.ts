/**
 * Puts fences into the memory of all runs, and a look at them before every access of a kernel: import it first.
 *
 * Kernels of this thread and those that are handed to workers look; what workers compile themselves (expressions, kernels
 * of users) does not, but it does on this thread, in runs without workers. Fences hold other numbers in every run, on
 * workers too.
 *
 * @module
 */

import { rewriteKernels } from "../../src/kernels/code.ts";
import { fenceNewArenas } from "./fence_arenas.ts";
import { readImports } from "../../src/user_kernels/imports.ts";
import { instrument } from "./instrument.ts";

/** What has been rewritten: each run on processes asks for it again. */
const known: { readonly bytes: Uint8Array; readonly rewritten: Uint8Array<ArrayBuffer> }[] = [];

function once(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!readImports(bytes).some(({ kind }) => kind === "memory")) return bytes; // it accesses none
  const found = known.find((one) => same(one.bytes, bytes));
  if (found) return found.rewritten;
  const rewritten = instrument(bytes);
  known.push({ bytes, rewritten });
  return rewritten;
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

fenceNewArenas();
rewriteKernels(once);
