/** Six users reach what they came for in at most ten actions each, in Chromium and in Firefox, by keyboard alone and on
 * a phone, with the numbers that they must find, on a page that everybody can use. */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { ndarray } from "@tilewise/tilewise/arrays";
import { storedPieces } from "../../src/pictures/mod.ts";
import { crystalFrames, extension, SCAN, SIDE } from "../cli/analyses/crystal.ts";
import { encodeFits } from "../formats/fits/encode.ts";
import { writeMib } from "../formats/mib/mib_files.ts";
import { withFolder, writeNpy } from "../cli/harness.ts";
import { pathOf } from "../observations/expected.ts";
import type { Given } from "./programs/walker.ts";
import type * as walks from "./programs/walks.ts";
import { HAS_FIREFOX, visitFirefox } from "./setup/firefox.ts";
import {
  assertAccessible,
  call,
  HAS_CHROMIUM,
  host,
  isFull,
  type PageOptions,
  withPage,
} from "./setup/mod.ts";
import { serveBehind } from "./setup/server.ts";
import { viewing } from "./setup/viewing.ts";

/** Most actions of a user. */
const MOST = 10;

/** Places of nuclei in the first channel: row, column, width. */
const NUCLEI = [[30, 40, 4], [36, 150, 5], [80, 90, 6], [120, 40, 4], [126, 170, 5]] as const;

/** Six channels with names; the first has nuclei. */
async function cells(): Promise<Given[]> {
  const [height, width] = [160, 200];
  const data = new Uint16Array(6 * height * width);
  for (let i = 0; i < data.length; i++) {
    const [c, y, x] = [Math.floor(i / height / width), Math.floor(i / width) % height, i % width];
    const light = NUCLEI.map(([cy, cx, s]) => Math.exp(-((y - cy) ** 2 + (x - cx) ** 2) / (2 * s * s)));
    data[i] = 100 + (i % 7) + (c === 0 ? 800 * light.reduce((a, b) => a + b) : 40 * c);
  }
  const axes = [
    { name: "c", kind: "channel", names: ["DAPI", "B", "C", "D", "E", "F"] },
    { name: "y", kind: "space", scale: 0.25, unit: "µm" },
    { name: "x", kind: "space", scale: 0.25, unit: "µm" },
  ] as const;
  const array = { ...ndarray(data, [6, height, width], "uint16"), axes };
  const bytes = await new Blob(await storedPieces(array, "cells.ome.tif")).bytes();
  return [{ path: "cells.ome.tif", url: host("walk-cells.ome.tif", bytes) }];
}

/** A strained crystal as a MIB scan. */
async function scan(): Promise<Given[]> {
  const folder = await Deno.makeTempDir();
  const all = crystalFrames(), pixels = SIDE * SIDE;
  const frames = Array.from(
    { length: all.length / pixels },
    (_, f) => all.subarray(f * pixels, (f + 1) * pixels),
  );
  const { files, hdr } = await writeMib(join(folder, "crystal.mib"), frames, {
    sig: [SIDE, SIDE],
    nav: SCAN,
  });
  const given = await Promise.all([hdr, ...files].map(async (path) => {
    const name = path.split("/").at(-1)!;
    return { path: name, url: host(`walk-${name}`, await Deno.readFile(path)) };
  }));
  await Deno.remove(folder, { recursive: true });
  return given;
}

/** One field twice, with pixels of 0.5 and of 0.25 µm. */
async function pair(): Promise<Given[]> {
  return await Promise.all([["coarse", 1], ["fine", 2]].map(async ([name, times]) => {
    const shape = [100 * Number(times), 140 * Number(times)];
    const axes = ["y", "x"].map((axis) => ({
      name: axis,
      kind: "space" as const,
      scale: 0.5 / Number(times),
      unit: "µm",
    }));
    const data = Uint8Array.from({ length: shape[0]! * shape[1]! }, (_, i) => i % 251);
    const path = `${name}.ome.tif`;
    const bytes = await new Blob(await storedPieces({ ...ndarray(data, shape, "uint8"), axes }, path))
      .bytes();
    return { path, url: host(`walk-${path}`, bytes) };
  }));
}

/** An image of the sky and a list of its sources. */
function sky(): Given[] {
  const data = Float32Array.from(
    { length: 64 * 64 },
    (_, i) => Math.hypot(Math.floor(i / 64) - 20, i % 64 - 30) < 3 ? 5 : 0,
  );
  const cards = { CTYPE1: "RA---SIN", CTYPE2: "DEC--SIN", CRVAL1: 30, CRVAL2: 10, CRPIX1: 31, CRPIX2: 21 };
  const image = encodeFits(data, [64, 64], "float32", {
    ...cards,
    CDELT1: -1 / 360,
    CDELT2: 1 / 360,
    BUNIT: "Jy/beam",
  });
  const list = new TextEncoder().encode("Name,Ra,Dec,I\nbright,30.0,10.0,5\nother,30.02,10.05,1\n");
  return [
    { path: "sky.fits", url: host("walk-sky.fits", image) },
    { path: "sources.csv", url: host("walk-sources.csv", list) },
  ];
}

/** The files of a Measurement Set. */
function set(folder = pathOf("small.ms"), path = "small.ms"): Given[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? set(join(folder, name), `${path}/${name}`) : [{
      path: `${path}/${name}`,
      url: host(`walk-${path}/${name}`, Deno.readFileSync(join(folder, name))),
    }]
  );
}

type Walks = Pick<
  typeof walks,
  "archivist" | "biologist" | "pathologist" | "microscopist" | "astronomer" | "comparer"
>;

/** A way to walk: in which browser, with what. */
interface Way {
  readonly how: string;
  readonly isThere: boolean;
  walk<N extends keyof Walks>(name: N, args: Parameters<Walks[N]>): Promise<unknown>;
}

/** A way in Chromium, at whose end everybody can use what is there; `SHOT=PATH` stores pictures of it beside that path. */
function inChromium(how: string, hands: string, options: PageOptions = {}): Way {
  return {
    how,
    isThere: HAS_CHROMIUM,
    walk: (name, args) =>
      withPage({ ...options, path: `/lib/?hands=${hands}` }, async ({ page }) => {
        await page.exposeFunction("pressKey", (key: string) => page.keyboard.press(key));
        await page.exposeFunction("lookAtEnd", async () => {
          await assertAccessible(page.frames().at(-1)!);
          const shot = Deno.env.get("SHOT");
          if (shot) await page.locator("iframe").screenshot({ path: `${shot}-${name}-${hands}.png` });
        });
        return await call(page, name, ...args);
      }),
  };
}

/** With a mouse in both browsers; in Chromium also by keyboard alone and on a phone, both in dark colours. */
const WAYS: readonly Way[] = [
  inChromium("in Chromium", "mouse"),
  inChromium("by keyboard alone, in dark colours", "keys", { scheme: "dark" }),
  inChromium("on a phone, in dark colours", "phone", { size: "phone", scheme: "dark" }),
  {
    how: "in Firefox",
    isThere: HAS_FIREFOX,
    walk: (name, args) => visitFirefox({ work: name, args, isolated: true }),
  },
];

/** A user who walks in all of them: what is dropped, and what must be found. */
function user<N extends keyof Walks>(
  name: N,
  args: () => Promise<Parameters<Walks[N]>>,
  check: (found: Awaited<ReturnType<Walks[N]>>["found"]) => void,
  around: (walk: () => Promise<void>) => Promise<void> = (walk) => walk(),
): void {
  for (const { how, isThere, walk } of WAYS) {
    Deno.test({
      name: `the path of the ${name} ${how}${isFull() ? "" : ": deno task test:browser --full"}`,
      ignore: !isThere || !isFull(),
      sanitizeOps: false,
      sanitizeResources: false,
      fn: () =>
        around(async () => {
          const { actions, found } = await walk(name, await args()) as Awaited<ReturnType<Walks[N]>>;
          console.log(`${name} ${how}: ${actions.length} actions: ${actions.join(", ")}`);
          assert(actions.length <= MOST, actions.join(", "));
          check(found);
        }),
    });
  }
}

user("biologist", async () => [await cells()], ({ channels, table }) => {
  assertEquals(channels, 3);
  const [head = [], ...rows] = table.trim().split("\n").map((line) => line.split(","));
  assertEquals(rows.length, NUCLEI.length);
  const [y, x] = ["centroid_y", "centroid_x"].map((name) => head.indexOf(name));
  for (const [cy, cx] of NUCLEI) {
    assert(rows.some((row) => Math.hypot(Number(row[y!]) - cy, Number(row[x!]) - cx) < 1), `${cy} ${cx}`);
  }
});

user("pathologist", () => Promise.resolve([]), ({ size, colours, differing, samples }) => {
  assertEquals([size, differing], [60_000, 0]);
  assert(colours > 20 && samples > 100_000, `${colours} colours, ${samples} samples`);
});

user("microscopist", async () => [await scan()], ({ titles, first }) => {
  assertEquals(titles, ["εxx", "εyy", "εxy", "θ"]);
  const middle = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
  const expected = first.map((_, n) => 100 * extension(n));
  first.forEach((value, n) =>
    assertAlmostEquals(value - middle(first), expected[n]! - middle(expected), 0.4)
  );
});

user("astronomer", () => Promise.resolve([sky(), set()]), ({ sources, lines, chosen, rows, offers }) => {
  assertEquals([sources, rows], [2, 48]);
  assert(offers.includes("Range of what is seen") && !offers.includes("Find objects"), offers.join(", ")); // of baselines
  assert(lines > 5 && /^bright02h00m00/.test(chosen), `${lines} ${chosen}`);
});

user("comparer", async () => [await pair()], ({ said, sizes: [first, second], inLens }) => {
  assertEquals(said, "Linked by size in µm: pixels of 0.5 µm and 0.25 µm.");
  assert(first![0] * first![1] < 90 * 130, `${first}`);
  first!.forEach((size, d) => assertAlmostEquals(second![d]!, 2 * size, 2.01));
  assertEquals(inLens, [true, true, false, false]);
});

/** Where the folder of the archivist is served. */
let served = "";

/** Serves a folder with folders below it while somebody walks through it; one of them has more names than are listed at once. */
async function withArchive(walk: () => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const top = `${folder}/top`;
    const write = (path: string, most: number) =>
      writeNpy(`${top}/${path}.npy`, "|u1", [6, 8], Uint8Array.from({ length: 48 }, (_, i) => i * most / 47));
    for (const below of ["sub one/deep", "many"]) await Deno.mkdir(`${top}/${below}`, { recursive: true });
    for (let i = 0; i < 103; i++) await write(`many/${i}`, 47);
    await write("sub one/c", 47);
    await write("sub one/deep/a", 94);
    await write("sub one/deep/b", 188);
    await viewing([top], async (link) => {
      served = serveBehind(link);
      await walk();
    });
  });
}

user("archivist", () => Promise.resolve([served]), ({ rows, more, sideways, values }) => {
  const [one, deep, top, many, ...again] = rows;
  assertEquals([one, deep, top], [["c.npy", "deep"], ["a.npy", "b.npy"], ["many", "sub one"]]);
  assertEquals([many!.length, more.length, sideways], [100, 3, 0]);
  assertEquals([again, values], [[top, one, deep], [94, 188]]);
}, withArchive);
