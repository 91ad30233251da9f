/**
 * The programs of these tests, in a page: tests call them by name, see `call` of `../setup/page.ts`.
 *
 * A browser that nobody drives is told by the address what to do, `?work=NAME&args=JSON&found=NAME`, and sends what it has
 * found to the server.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { useWorker } from "@tilewise/tilewise/run";
import { builtins } from "./builtins.ts";
import { cycles } from "./cycles.ts";
import { programs } from "./golden.ts";
import { chosenFiles, chosenFolder, fromUrls } from "./samples.ts";
import { repeat } from "./rates.ts";
import { archivist, astronomer, biologist, comparer, microscopist, pathologist } from "./walks.ts";

useWorker(new URL("/lib/worker.js", location.href));

const walks = { archivist, astronomer, biologist, comparer, microscopist, pathologist } as const;
const work = { builtins, chosenFiles, chosenFolder, cycles, fromUrls, programs, repeat, ...walks } as const;

/** What tests can call: arguments and results are plain data. */
export type Work = typeof work;

Object.assign(globalThis, { work });

/** Does what the address says, and sends what it has found, or why it could not. */
async function report(name: string, parameters: URLSearchParams): Promise<void> {
  const wanted = work[parameters.get("work") as keyof Work] as (...args: unknown[]) => Promise<unknown>;
  const answer = await wanted(...JSON.parse(parameters.get("args") ?? "[]")).then(
    (result) => ({ result }),
    (error) => ({ error: `${error}\n${error?.stack}` }),
  );
  await fetch(`/found/${name}`, { method: "POST", body: JSON.stringify(answer) });
}

const parameters = new URLSearchParams(location.search);
const name = parameters.get("found");
if (name !== null) await report(name, parameters);
