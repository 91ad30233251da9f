/**
 * Dirty images and degridding beside ducc0, and predictions by grids beside the sum over sources. Results are compared first.
 *
 * ```sh
 * deno run -A bench/rime/image.ts [--python PROGRAM] [--pixels 1024] [--times 60] [--repeats 2] [--workers 2] [--sources 300,1000,3000]
 * ```
 *
 * An array of 27 antennas within 10 km follows a field that the pixels cover with five pixels per beam, 16 channels. Errors are
 * root mean squares relative to the result of ducc0 at 1e-13, which runs on as many threads, in the same minute; without
 * `--python` it is left out.
 *
 * @module
 */

import { createContext } from "@tilewise/tilewise";
import { dirtyImage, predict } from "@tilewise/tilewise/rime";
import { baselinePairs, degrid, predictByGridding } from "@tilewise/tilewise/unstable/rime";
import { mulberry32 } from "../../tests/kernels/call.ts";
import { errorOf } from "../../tests/rime/image/data.ts";
import { readArguments } from "../arguments.ts";
import { align, print } from "../timing.ts";

const NAMES = ["python", "pixels", "times", "repeats", "workers", "sources"];
const { options } = readArguments(Deno.args, NAMES, []);
const pixels = Number(options.pixels ?? 1024), workers = Number(options.workers ?? 2);
const repeats = Number(options.repeats ?? 2), ntime = Number(options.times ?? 60), nchan = 16;
const CASES = [["f64", 1e-3], ["f64", 1e-5], ["f64", 1e-8], ["f64", 1e-12], ["mixed", 1e-3], [
  "mixed",
  1e-5,
]] as const;
const SPEED_OF_LIGHT = 299792458;

/** Antennas on the ground, seen from a declination of 40° as the sky turns. */
function problem() {
  const random = mulberry32(1), na = 27, latitude = 0.6, declination = 0.7;
  const antennas = Array.from(
    { length: na },
    () => [10e3 * (random() - 0.5), 10e3 * (random() - 0.5)] as const,
  );
  const { antenna1, antenna2 } = baselinePairs(na);
  const uvw = new Float64Array(3 * ntime * antenna1.length);
  for (let t = 0, at = 0; t < ntime; t++) {
    const hour = (t / Math.max(1, ntime - 1) - 0.5) * 2;
    const [sh, ch, sd, cd] = [Math.sin(hour), Math.cos(hour), Math.sin(declination), Math.cos(declination)];
    antenna1.forEach((p, b) => {
      const [east, north] = [0, 1].map((axis) => antennas[antenna2[b]!]![axis]! - antennas[p]![axis]!) as [
        number,
        number,
      ];
      const [x, y, z] = [-Math.sin(latitude) * north, east, Math.cos(latitude) * north];
      const along = ch * x - sh * y;
      uvw.set([sh * x + ch * y, cd * z - sd * along, cd * along + sd * z], at);
      at += 3;
    });
  }
  const frequency = Float64Array.from({ length: nchan }, (_, c) => 1.4e9 + 4e6 * c);
  const most = uvw.reduce((a, b) => Math.max(a, Math.abs(b)), 0) * frequency[nchan - 1]! / SPEED_OF_LIGHT;
  const list = (length: number) => Float64Array.from({ length }, () => random() - 0.5);
  const visibilities = list(2 * nchan * uvw.length / 3);
  return { uvw, frequency, visibilities, cell: 1 / (5 * most), image: list(pixels * pixels) };
}

const { uvw, frequency, visibilities, cell, image } = problem();
const input = { uvw, frequency, visibilities };
const grid = { pixels: [pixels, pixels], cell: [cell, cell] } as const;
const samples = visibilities.length / 2;

/** What ducc0 took, and its results. */
async function peers(): Promise<{ seconds: Map<string, number>; exact: Map<string, Float64Array> }> {
  const seconds = new Map<string, number>(), exact = new Map<string, Float64Array>();
  if (!options.python) return { seconds, exact };
  const folder = Deno.makeTempDirSync({ prefix: "tilewise-image-" });
  try {
    const arrays = { uvw: uvw, frequency: frequency, visibilities: visibilities, image };
    for (const [name, { buffer }] of Object.entries(arrays)) {
      Deno.writeFileSync(`${folder}/${name}`, new Uint8Array(buffer as ArrayBuffer));
    }
    const facts = { pixels, cell, threads: workers, repeats, cases: CASES };
    Deno.writeTextFileSync(`${folder}/problem.json`, JSON.stringify(facts));
    const script = new URL("./image_peers.py", import.meta.url).pathname;
    const { stdout } = await new Deno.Command(options.python, { args: [script, folder], stderr: "inherit" })
      .output();
    for (const line of new TextDecoder().decode(stdout).split("\n").filter((line) => line.startsWith("{"))) {
      const { work, precision, epsilon, seconds: took } = JSON.parse(line);
      seconds.set(`${work} ${precision} ${epsilon}`, took);
      exact.set(work, new Float64Array(Deno.readFileSync(`${folder}/${work}.exact.bin`).buffer));
    }
    return { seconds, exact };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function best<T>(run: () => Promise<T>): Promise<[seconds: number, found: T]> {
  let least = Infinity, found: T | undefined;
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    found = await run();
    least = Math.min(least, (performance.now() - start) / 1000);
  }
  return [least, found!];
}

async function images(): Promise<void> {
  await using context = createContext({ memory: "2GiB", workers });
  const { seconds, exact } = await peers();
  const rows = [["work", "precision", "epsilon", "support", "planes", "ms", "ducc0 ms", "ratio", "error"]];
  for (const work of ["dirty", "flat", "degrid"]) {
    for (const [precision, epsilon] of CASES) {
      const how = { context, precision, epsilon, wTerm: work !== "flat" };
      const run = async () => {
        if (work === "degrid") {
          return { data: (await degrid(image, grid, { uvw: uvw, frequency: frequency }, how)).data };
        }
        const { image: { data }, support, planes } = await dirtyImage(input, grid, {
          ...how,
          normalize: false,
        });
        return { data, support, planes };
      };
      const [took, found] = await best<{ data: ArrayLike<number>; support?: number; planes?: number }>(run);
      const peer = seconds.get(`${work} ${precision} ${epsilon}`), expected = exact.get(work);
      const error = expected ? errorOf(found.data, expected) : NaN;
      if (error > epsilon) throw new Error(`${work} ${precision} ${epsilon}: the error is ${error}`);
      const ratio = peer ? (took / peer).toFixed(2) : "";
      const facts = [String(found.support ?? ""), String(found.planes ?? ""), (1000 * took).toFixed(0)];
      rows.push([
        work,
        precision,
        String(epsilon),
        ...facts,
        peer ? (1000 * peer).toFixed(0) : "",
        ratio,
        error.toExponential(1),
      ]);
    }
  }
  print(
    `${samples} visibilities, ${pixels} × ${pixels} pixels of ${
      (cell * 206264.8).toFixed(2)
    }", ${workers} workers`,
  );
  print(align(rows));
}

async function predictions(): Promise<void> {
  await using context = createContext({ memory: "1GiB", workers });
  const rows = [["sources", "precision", "sum ms", "by grids ms", "ratio", "difference"]];
  const random = mulberry32(3), wide = pixels * cell;
  for (const count of (options.sources ?? "300,1000,3000").split(",").map(Number)) {
    const lm = Float64Array.from({ length: 2 * count }, () => wide * (random() - 0.5));
    const flux = Float64Array.from({ length: count }, () => random());
    const stokes = Float64Array.from({ length: 4 * count }, (_, i) => i % 4 ? 0 : flux[i >> 2]!);
    const places = { uvw: uvw, frequency: frequency };
    for (const [precision, epsilon] of [["f64", 1e-5], ["mixed", 1e-5]] as const) {
      const sum = () =>
        predict({ ...places, sky: { lm, stokes } }, { context, precision, correlations: ["I"] });
      const [direct, expected] = await best(sum);
      const [took, { data }] = await best(() =>
        predictByGridding({ lm, flux }, places, { context, precision, epsilon })
      );
      const error = errorOf(data as ArrayLike<number>, expected.data as ArrayLike<number>);
      if (error > 2 * epsilon) throw new Error(`${count} sources: the difference is ${error}`);
      const ms = [direct, took].map((seconds) => (1000 * seconds).toFixed(0));
      rows.push([String(count), precision, ...ms, (direct / took).toFixed(2), error.toExponential(1)]);
    }
  }
  print(align(rows));
}

await images();
await predictions();
