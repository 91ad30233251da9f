/**
 * Damaged observations and skies: one file of a Measurement Set, a UVH5 file, a list of components. They must end in
 * samples or in a typed error, within limits.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { isTilewiseError } from "../../src/errors.ts";
import type { Observation, RowSamples } from "../../src/observations/observation.ts";
import { openObservation } from "../../src/observations/open.ts";
import { summaryOf } from "../../src/observations/summary.ts";
import { skyModel } from "../../src/rime/observed/sky_model.ts";
import { readSky } from "../../src/skies/read.ts";
import { tile } from "../observations/expected.ts";
import { LIMITS, type Outcome } from "./attempt.ts";
import { measured } from "./clock.ts";
import { apply, mutations } from "./mutate.ts";

/** What is damaged: observations by the names of their samples, and skies. */
export const OBSERVED: readonly string[] = [
  "observation-ms",
  "observation-uvh5",
  "observation-msv4",
  "sky-list",
  "sky-csv",
  "sky-json",
];

const SAMPLES: Readonly<Record<string, string>> = {
  "observation-ms": "small.ms",
  "observation-uvh5": "small.uvh5",
  "observation-msv4": "small.ps.zarr",
};

const SKIES: Readonly<Record<string, string>> = {
  "sky-list":
    `Format = Name, Type, Ra, Dec, I, Q, U, V, SpectralIndex, LogarithmicSI, ReferenceFrequency='150000000', MajorAxis, MinorAxis, Orientation
s0c0,POINT,08:28:05.152,39.35.08.511,0.00075,0,0,0,[-0.0069,-0.085],false,150000000,,,
s0c1,GAUSSIAN,08:22:12.5,-40.05.57.0,0.0053,0.1,-0.1,0,[0.5],true,,83.6,40.1,12.5
`,
  "sky-csv": `name,type,ra,dec,i,spectralindex,referencefrequency,e1,e2,scale
a,POINT,127.02,39.58,1.5,"[-0.7,0.1]",1.5e8,,,
b,SERSIC,127.1,39.5,2,,,0.1,0.2,3
c,POINT,126.9,39.6,-0.25,[],,,,
`,
  "sky-json": JSON.stringify({
    components: [
      { name: "a", l: 0.01, m: -0.02, I: 1.5, SpectralIndex: [-0.7], ReferenceFrequency: 1.4e9 },
      { name: "b", type: "GAUSSIAN", ra: "08:28:05", dec: 39.5, I: 2, majoraxis: 30, minoraxis: 10 },
    ],
  }),
};

/** Rows, channels and correlations that are read. */
const READ_ROWS = 64;

/** One execution, by the seed. */
export async function attemptObserved(name: string, seed: number): Promise<Outcome> {
  const first = await once(name, seed);
  return first.problem?.startsWith("it took") ? await once(name, seed) : first; // a busy machine? once more
}

async function once(name: string, seed: number): Promise<Outcome> {
  const before = Deno.memoryUsage().rss;
  const ready = SKIES[name] === undefined ? damagedFile(name, seed) : undefined;
  const spent = measured();
  let end = "read";
  let problem: string | undefined;
  try {
    if (ready) await readObservation(ready.path, seed);
    else await readDamagedSky(SKIES[name]!, seed);
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") end = error.code;
    else problem = error instanceof Error ? `${error.stack}` : String(error);
  } finally {
    ready?.restore();
  }
  const { milliseconds, onClock } = spent();
  const grown = Deno.memoryUsage().rss - before;
  if (milliseconds > LIMITS.milliseconds) problem ??= `it took ${Math.round(milliseconds)} ms`;
  if (onClock > LIMITS.waiting) problem ??= `it took ${Math.round(onClock)} ms on the clock`;
  if (grown > LIMITS.bytes) problem ??= `it needed ${Math.round(grown / 2 ** 20)} MiB`;
  return { end: problem ? "wrong" : end, milliseconds, ...(problem === undefined ? {} : { problem }) };
}

async function readDamagedSky(text: string, seed: number): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  const sky = await readSky(apply(bytes, mutations(bytes.length, seed)));
  skyModel(sky, [2.2, 0.69], [1.4e8, 1.6e8]);
}

/** Opens an observation, and reads what it has of its first rows. */
async function readObservation(path: string, seed: number): Promise<void> {
  const options = seed % 2 || path.endsWith(".uvh5") ? {} : { dataDescription: 1 };
  await using observation = await openObservation(path, options);
  const stop = Math.min(observation.rows, READ_ROWS);
  await observation.timeIndex(0, stop);
  await observation.uvw(0, stop);
  await summaryOf(observation);
  for (const name of ["visibility", "flag", "weight"] as const) {
    await readSome(observation, observation[name]);
  }
}

async function readSome({ rows }: Observation, samples: RowSamples | undefined): Promise<void> {
  if (!samples) return;
  const { shape, source } = samples;
  await source(
    tile([[0, Math.min(rows, READ_ROWS)], ...shape.slice(1).map((n) => [0, Math.min(n, 64)] as const)]),
  );
}

interface Copy {
  readonly folder: string;
  /** Paths of its files, the descriptions first. */
  readonly files: readonly string[];
}

const copies = new Map<string, Copy>();

/** The sample in a temporary folder, with one file damaged. */
function damagedFile(name: string, seed: number): { path: string; restore: () => void } {
  const copy = copies.get(name) ?? copyOf(SAMPLES[name]!);
  copies.set(name, copy);
  const file = copy.files[Math.floor(seed / 3) % copy.files.length]!;
  const bytes = Deno.readFileSync(file);
  Deno.writeFileSync(file, apply(bytes, mutations(bytes.length, seed)));
  return { path: `${copy.folder}/${SAMPLES[name]}`, restore: () => Deno.writeFileSync(file, bytes) };
}

function copyOf(sample: string): Copy {
  const folder = Deno.makeTempDirSync();
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const files: string[] = [];
  const copy = (from: string, to: string) => {
    if (Deno.statSync(from).isFile) {
      Deno.copyFileSync(from, to);
      files.push(to);
      return;
    }
    Deno.mkdirSync(to);
    for (const { name } of Deno.readDirSync(from)) copy(`${from}/${name}`, `${to}/${name}`);
  };
  copy(fromFileUrl(new URL(`../data/observations/${sample}`, import.meta.url)), `${folder}/${sample}`);
  return { folder, files: files.toSorted() };
}
