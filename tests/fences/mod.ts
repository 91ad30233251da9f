/**
 * Puts fences into the memory of all runs, and a look at them before every access of a kernel: import it first.
 *
 * Kernels of this thread and those that are handed to workers look; what workers compile themselves (expressions, kernels
 * of users) does not, but it does on this thread, in runs without workers. Fences hold other numbers in every run, on
 * workers too.
 *
 * @module
 */

import { rewriteKernels } from "../../src/kernels/wasm.ts";
import { fenceNewArenas } from "../../src/memory/fences.ts";
import { instrument } from "./instrument.ts";

fenceNewArenas();
rewriteKernels(instrument);
