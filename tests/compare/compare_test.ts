/** The comparison with the peers, without the peers: what it generates, and that it notices what is wrong. */

import "../fences/mod.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { BUILTINS } from "../../src/udf/worker/builtins.ts";
import { createContext } from "../../src/runner/context.ts";
import { dtypeInfo } from "../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../src/space/ndarray.ts";
import { errorOfSum, gamma, SINGLE } from "./verdict/bounds.ts";
import { compareResults, type Results } from "./compare.ts";
import { NOT_COMPARED } from "./verdict/coverage.ts";
import { randomSubject } from "./data/data.ts";
import { DIFFERENCES } from "./verdict/differences.ts";
import { openData, writeData } from "./data/files.ts";
import { keepCase } from "./keep.ts";
import { KEPT } from "./kept.ts";
import { HELP, readOptions } from "./options.ts";
import { Peer } from "./peer.ts";
import { Random } from "./data/random.ts";
import { Report } from "./verdict/report.ts";
import { judged, type Outcome } from "./runner.ts";
import { type Params, product, type Subject } from "./data/spec.ts";
import { truthOf } from "./data/truth.ts";
import type { AnyWork, Opened } from "./work.ts";
import { WORKS } from "./works/index.ts";

const SUBJECTS = Array.from({ length: 500 }, (_, i) => randomSubject(1, i));

const array = (...values: number[]) => ndarray(Float64Array.from(values), [values.length], "float64");

Deno.test("a number beyond its bound, another shape, another mask and a missing result are noticed", () => {
  const compare = (ours: Results, theirs: Results) =>
    compareResults(ours, theirs, { x: [0.1, 0] }).mismatches;
  assertEquals(compare({ x: array(1, 2) }, { x: array(1.09, 2) }), []);
  assertEquals(compare({ x: array(1, 2) }, { x: array(1.2, 2) }).map(({ at }) => at), [[0]]);
  assertEquals(compare({ x: array(1, 2) }, { x: array(1, 2 + 1e-15) }).map(({ at }) => at), [[1]]);
  assertEquals(compare({ x: array(1, NaN) }, { x: array(1, 2) }).map(({ at }) => at), [[1]]);
  assertEquals(compare({ x: array(NaN, Infinity) }, { x: array(NaN, Infinity) }), []);
  assertEquals(compare({ x: array(1, -Infinity) }, { x: array(1, Infinity) }).map(({ at }) => at), [[1]]);
  assertEquals(compare({ x: array(1) }, { x: array(1, 2) }).map(({ what }) => what), ["shape"]);
  assertEquals(compare({}, { x: array(1, 2) }).map(({ what }) => what), ["missing"]);
  const mask = ndarray(Uint8Array.of(1, 0), [2], "bool");
  assertEquals(compare({ x: array(1, 2) }, { x: array(1, 2), "x.valid": mask }).map(({ what }) => what), [
    "valid",
  ]);
});

Deno.test("angles count modulo their period, types where they matter", () => {
  const close = { x: { within: 0.01, period: 2 * Math.PI } };
  assertEquals(compareResults({ x: array(3.14) }, { x: array(-3.14) }, close).mismatches, []);
  const single = ndarray(Float32Array.of(1), [1], "float32");
  const typed = { x: { within: 0, sameType: true } };
  assertEquals(compareResults({ x: array(1) }, { x: single }, typed).mismatches.map(({ what }) => what), [
    "shape",
  ]);
});

Deno.test("bounds hold for sums in float32, in any order, and are near to them", () => {
  const random = new Random("bounds");
  for (let round = 0; round < 50; round++) {
    const values = Float32Array.from({ length: random.int(1, 900) }, () => 100 * random.normal());
    const size = values.reduce((sum, value) => sum + Math.abs(value), 0);
    const exact = Array.from(values).reduce((sum, value) => sum + value, 0);
    const single = values.toSorted((a, b) => Math.abs(b) - Math.abs(a)).reduce(
      (sum, value) => Math.fround(sum + value),
      0,
    );
    const bound = errorOfSum(size, values.length, { areWhole: false, unit: SINGLE, relative: 0 });
    assert(Math.abs(single - exact) <= bound);
    assert(bound <= 1.1 * (values.length + 8) * SINGLE * size);
  }
  assertEquals(errorOfSum(2 ** 24 - 1, 900, { areWhole: true, unit: SINGLE, relative: 0 }), 0);
  assert(errorOfSum(2 ** 24, 900, { areWhole: true, unit: SINGLE, relative: 0 }) > 0);
  assertEquals(gamma(10, SINGLE) > 10 * SINGLE, true);
});

/** The simplest ones. */
const CORRECTIONS = { gain: "float32", excluded: [], allowEmpty: false, seed: 1 } as const;

/** A data set on which nothing differs on purpose: everything is there, and nothing is corrected. */
function plainSubject(work: AnyWork): Subject | undefined {
  const run = { onWorkers: false, ...(work.word === "corrections" ? { corrections: CORRECTIONS } : {}) };
  return SUBJECTS.map(({ data }): Subject => {
    const kind = data.file.startsWith("hdf5") ? "npy" : data.file; // the peer would have to make it
    const file = kind === "raw_csr" ? "raw" : kind;
    return { data: { ...data, file, images: product(data.nav), syncOffset: 0 }, run };
  }).find((subject) => {
    const { data } = subject;
    const isLively = !["zeros", "constant", "special", "extreme"].includes(data.pattern) &&
      data.nav.length === 2;
    return isLively && Math.min(...data.nav) > 1 && product(data.sig) > 60 && (work.suits?.(subject) ?? true);
  }) ??
    SUBJECTS.map(({ data }): Subject => ({ data, run })).find((one) =>
      one.data.file === "raw" && (work.suits?.(one) ?? true)
    );
}

/** The same arrays, one number of `name` changed. */
function planted(results: Results, name: string, at: number, by: number): Results {
  const { data } = results[name]!;
  const changed = Float64Array.from(data as Float64Array, Number);
  changed[at] = changed[at]! + by;
  const { shape, dtype } = results[name]!;
  const isComplex = dtypeInfo(dtype).kind === "c";
  const other: NDArray = ndarray(changed, shape, isComplex ? "complex128" : "float64");
  return { ...results, [name]: other };
}

for (const work of WORKS) {
  Deno.test(`${work.word}: equal results are equal, and a planted difference is not excused`, async () => {
    const subject = plainSubject(work)!;
    const folder = await Deno.makeTempDir();
    await using context = createContext({ workers: 0 });
    const path = await writeData(subject.data, folder);
    const dataset = await openData(subject.data, path);
    const opened: Opened = { ...subject, dataset, truth: truthOf(subject), context, folder };
    const { results, params } = await firstResults(work, opened);
    const at = { ...subject, word: work.word, params };
    const theirs = theirsOf(work, results);
    const judge = (other: Results) => judged(work, at, opened, { results }, { results: other });
    assertEquals((await judge(theirs)).differences.map(({ text }) => text), []);
    let noticed = 0;
    for (const name of Object.keys(work.expect({ opened, params, ours: results, theirs }))) {
      const value = Number(theirs[name]!.data[0]);
      const by = 1 + 10 * Math.abs(Number.isFinite(value) ? value : 0);
      const { end, verdict, differences } = await judge(planted(theirs, name, 0, by));
      const isFree = verdict.unbounded > 0 || !Number.isFinite(value);
      assert(end === "unexplained" || isFree, `${name} is ${end}: ${rowsOf(differences)}`);
      if (end === "unexplained") noticed++;
    }
    assert(noticed > 0, "no planted difference was noticed");
    await Deno.remove(folder, { recursive: true });
  });
}

function rowsOf(differences: Outcome["differences"]): string {
  return differences.flatMap(({ rows }) => rows.map(({ name }) => name)).join();
}

/** What we compute with the first parameters that we do not refuse. */
async function firstResults(work: AnyWork, opened: Opened): Promise<{ results: Results; params: Params }> {
  for (let attempt = 0;; attempt++) {
    const params = work.params(new Random("planted", work.word, attempt), opened);
    try {
      return { params, results: await work.ours(opened, params) };
    } catch (error) {
      if (attempt > 20) throw error;
    }
  }
}

/** Results as the peer would send them: some are compared with what is made from more of the peer's. */
function theirsOf(work: AnyWork, results: Results): Results {
  if (work.word !== "cluster") return results;
  const nav = results.labels!.shape;
  const values = Float64Array.from(results.labels!.data as Int32Array);
  return { ...results, features: ndarray(values, [...nav, 1], "float64") };
}

Deno.test("every built-in UDF is compared, or there is a reason why not", () => {
  const compared = new Set(WORKS.flatMap(({ covers = [] }) => covers));
  const named = [...compared, ...Object.keys(NOT_COMPARED)].toSorted();
  assertEquals(named, Object.keys(BUILTINS).toSorted());
});

Deno.test("every work has a word of its own that the peer knows", async () => {
  const words = WORKS.map(({ word }) => word);
  assertEquals(new Set(words).size, words.length);
  const folder = new URL("./peers/", import.meta.url);
  const files = [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".py"));
  const sources = await Promise.all(files.map(({ name }) => Deno.readTextFile(new URL(name, folder))));
  const known = sources.join("\n");
  const family = (word: string) => word.replace(/^(own|correlate)-.*/, "$1-");
  const unknown = words.filter((word) => !known.includes(`"${family(word)}`));
  assertEquals(unknown, []);
});

Deno.test("deliberate differences have names of their own and reasons", () => {
  assertEquals(new Set(DIFFERENCES.map(({ name }) => name)).size, DIFFERENCES.length);
  for (const { reason } of DIFFERENCES) assert(reason.length > 40);
});

Deno.test("kept comparisons can be made", () => {
  for (const { word, why, ...subject } of KEPT) {
    const work = WORKS.find((one) => one.word === word);
    assert(work, `there is no work "${word}"`);
    assert(work.suits?.(subject) ?? true, `${word} does not suit: ${why}`);
  }
});

Deno.test("an unexplained difference is kept with its inputs and both results", async () => {
  const subject: Subject = {
    data: SUBJECTS.find(({ data }) => data.file === "raw")!.data,
    run: { onWorkers: false },
  };
  const work = WORKS.find(({ word }) => word === "sum")!;
  const opened = { ...subject, truth: truthOf(subject) } as Opened;
  const at = { ...subject, word: "sum", params: {} };
  const ours = { results: { intensity: array(1, 2) } };
  const outcome = await judged(work, at, opened, ours, { error: "no" });
  assertEquals([outcome.end, outcome.differences[0]!.text], ["unexplained", "the peer refuses: no"]);
  const report = new Report();
  report.add(outcome);
  assertEquals([report.cases, report.unexplained], [1, 1]);
  const folder = await Deno.makeTempDir();
  const kept = await keepCase(outcome, folder);
  const names = [...Deno.readDirSync(kept)].map(({ name }) => name).toSorted();
  assertEquals(names, ["case.json", "data", "differences.txt", "images.npy", "ours", "theirs"]);
  assertEquals([...Deno.readDirSync(`${kept}/ours`)].map(({ name }) => name), ["intensity.npy"]);
  assertEquals(JSON.parse(await Deno.readTextFile(`${kept}/case.json`)), JSON.parse(JSON.stringify(at)));
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a comparison that fails is a difference, and no end of the run", async () => {
  const subject = { data: SUBJECTS[0]!.data, run: { onWorkers: false } };
  const sum = WORKS.find(({ word }) => word === "sum")!;
  const expect = (): never => {
    throw new RangeError("no bound");
  };
  const work = { ...sum, expect } as AnyWork;
  const opened = { ...subject, truth: truthOf(subject) } as Opened;
  const both = { results: { intensity: array(1) } };
  const { end, differences } = await judged(
    work,
    { ...subject, word: "sum", params: {} },
    opened,
    both,
    both,
  );
  assertEquals(end, "unexplained");
  assert(differences[0]!.text.includes("the comparison fails: RangeError: no bound"));
});

Deno.test("options are read, and unknown ones are refused", () => {
  const { seed, runs, only, quick } = {
    ...readOptions(["--seed", "4", "--quick", "--only", "sum,com"]),
    quick: true,
  };
  assertEquals([seed, runs, only, quick], [4, 40, ["sum", "com"], true]);
  assertEquals(readOptions([]).runs, 500);
  assertThrows(() => readOptions(["--fast"]), Error, "known are");
  assertThrows(() => readOptions(["--runs", "many"]), Error, "whole number");
  for (
    const name of [
      "seed",
      "runs",
      "run",
      "only",
      "keep",
      "json",
      "quick",
      "list",
      "venv",
      "allow-missing-peers",
    ]
  ) {
    assert(HELP.includes(`--${name}`), name);
  }
});

Deno.test("a peer that ends is an error, not silence", async () => {
  const peer = new Peer(Deno.execPath()); // which cannot run Python
  const message = await peer.ask({ word: "sum", params: {} }).catch((error: Error) => error.message);
  assert(String(message).includes("The peer ended"));
  await peer[Symbol.asyncDispose]();
});
