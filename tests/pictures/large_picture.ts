/**
 * Saves a picture of 5000 × 8000 pixels at the path given and prints the memory that it took.
 *
 * @module
 */

import { save } from "../../src/pictures/save.ts";
import { ndarray } from "../../src/space/ndarray.ts";
import { peakOfThis } from "../cli/measured.ts";

const samples = new Uint8Array(5000 * 8000);
for (let y = 0; y < 5000; y++) samples.fill(y, 8000 * y, 8000 * (y + 1));
await save(ndarray(samples, [5000, 8000], "uint8"), Deno.args[0]!, { percentile: [1, 99] });
console.log(JSON.stringify({ peak: peakOfThis() }));
