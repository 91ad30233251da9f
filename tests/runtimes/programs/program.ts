/** A program of Deno, Node and Bun: prints its digests inline and on 2 workers, and what it has survived, as JSON. */

import process from "node:process";
import { control } from "./control.ts";
import { digests, type Inputs } from "./work.ts";

const [inputs, limitsHeaps] = process.argv.slice(2);
const where: Inputs = { ...JSON.parse(inputs!), own: import.meta.resolve("./own_udf.ts") };
console.log(JSON.stringify({
  inline: await digests(where, 0),
  workers: await digests(where, 2),
  control: await control(where, limitsHeaps === "heaps"),
}));
