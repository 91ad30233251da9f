/** The notebooks run from their first cell to their last, and find what they say they find; `types.ts` checks their types. */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { NDArray } from "@tilewise/tilewise";
import type { ComCorrections } from "@tilewise/tilewise/analyses";
import type { RunManifest } from "@tilewise/tilewise/results";
import { importCells, notebooks } from "./notebooks.ts";

/** What cells define, as far as it is looked at. */
interface Names {
  readonly results: Readonly<Record<string, Readonly<Record<string, NDArray>>>>;
  readonly manifest: RunManifest;
  readonly guess: ComCorrections;
  readonly agree: boolean;
  readonly curlShare: number;
  readonly worst: number;
  readonly source: string;
  readonly folder: string;
  readonly address: string;
  readonly server: Deno.HttpServer;
}

/** What must hold after each: the names that its cells define. */
const HOLDS: Readonly<Record<string, (names: Names) => void | Promise<void>>> = {
  "virtual_detectors.ipynb": ({ results, manifest }) => {
    const { data } = results.darkField!.intensity!;
    assert(Number(data[31]) > 10 * Number(data[0]));
    assertEquals(manifest.results.length, 3);
  },
  "own_code.ipynb": ({ agree }) => assertEquals(agree, true),
  "centre_of_mass.ipynb": ({ guess, curlShare }) => {
    assertAlmostEquals(Math.abs(guess.scanRotation), 30, 0.5);
    assertEquals(guess.flipY, false);
    assertAlmostEquals(guess.cy, 16, 0.05);
    assertAlmostEquals(guess.cx, 15, 0.05);
    assert(curlShare < 0.02);
  },
  "linked_viewer.ipynb": async ({ source, folder, address, server }) => { // more in tests/browser/web/notebook_test.ts
    const { status, headers, ...part } = await partOf(`${address}scan.npy`, "bytes=6-131");
    const whole = await Deno.readFile(source);
    assertEquals([status, headers.get("content-range")], [206, `bytes 6-131/${whole.length}`]);
    assertEquals(part.bytes, whole.subarray(6, 132));
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  },
  "strain.ipynb": ({ worst }) => assert(worst < 1e-3, `${worst}`),
};

async function partOf(address: string, range: string) {
  const answer = await fetch(address, { headers: { range } });
  return { status: answer.status, headers: answer.headers, bytes: await answer.bytes() };
}

function defined(code: readonly string[]): string[] {
  const found = code.join("\n").matchAll(/^const (?:(\w+)|\{([^}]*)\}|\[[^\]]*\]) =/gm);
  return [...found].flatMap(([, name, names]) => name ?? names?.split(",") ?? [])
    .map((name) => name.replace(/^.*:/, "").trim()).filter((name) => name !== "");
}

for (const { name, code, hasOutputs } of notebooks()) {
  Deno.test(`${name} runs and finds what it says`, async () => {
    assert(!hasOutputs, "cells keep no output");
    const holds = HOLDS[name];
    assert(holds, "what must hold is said in this test");
    await holds(await importCells<Names>(code, defined(code)));
  });
}
