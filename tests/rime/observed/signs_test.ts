/**
 * One polarised source as Measurement Set, UVFITS and UVH5 of pyuvdata: `tests/data/observations/make_signs.py`. Stokes parameters are
 * the same in all of them, whatever correlations are conjugates of, or halves.
 */

import "../../fences/mod.ts";
import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { createContext } from "../../../mod.ts";
import { type Observation, openObservation, readSky } from "@tilewise/tilewise/observations";
import { imagePlanes, predict, skyModel } from "@tilewise/tilewise/rime";
import { feedRotation, fitSources } from "@tilewise/tilewise/unstable/rime";
import { readSamples } from "../../../src/rime/observed/product.ts";
import { planObservation } from "../../../src/rime/observed/predict_observation.ts";
import { unpacked } from "../../observations/packed.ts";

const STOKES = [2, 0.7, -0.5, 0.9];
const SKY = await readSky(new TextEncoder().encode("Name,l,m,I,Q,U,V\none,0.004,-0.0025,2,0.7,-0.5,0.9\n"));
const GRID = { pixels: [64, 64], cell: [-5e-4, 5e-4] } as const;
const FORMATS = ["ms", "uvfits", "uvh5"] as const, KINDS = ["linear", "circular"] as const;

/** Runs for every file, in a context without workers. */
async function each(
  run: (observation: Observation, kind: typeof KINDS[number], folder: string) => Promise<void>,
): Promise<void> {
  await using archive = await unpacked(new URL("../../data/observations/signs.tgz", import.meta.url));
  for (const kind of KINDS) {
    for (const format of FORMATS) {
      await using observation = await openObservation(join(archive.folder, `${kind}.${format}`));
      await run(observation, kind, archive.folder);
    }
  }
}

/** I, Q, U and V at the place of the source. */
async function seen(observation: Observation, context: ReturnType<typeof createContext>): Promise<number[]> {
  const found: number[] = [];
  for await (
    const { image } of imagePlanes(observation, GRID, { correlations: ["I", "Q", "U", "V"], context })
  ) found.push(image.data[27 * 64 + 24]!);
  return found;
}

function assertNear(found: ArrayLike<number>, expected: ArrayLike<number>, most: number, text: string): void {
  assertEquals(found.length, expected.length, text);
  for (let i = 0; i < found.length; i++) {
    assertAlmostEquals(found[i]!, expected[i]!, most, `${text}, number ${i}`);
  }
}

Deno.test("images have the Stokes parameters of the source, in any format and with any receptors", async () => {
  await using context = createContext({ memory: "32MiB", workers: 0 });
  await each(async (observation, kind) => {
    assertNear(await seen(observation, context), STOKES, 1e-4, `${kind} ${observation.format}`);
  });
});

Deno.test("predictions are the samples of the file", async () => {
  await using context = createContext({ memory: "32MiB", workers: 0 });
  await each(async (observation, kind) => {
    const samples = await readSamples(observation.visibility!, 0, observation.rows) as Float32Array;
    for (const precision of ["f64", "mixed"] as const) {
      const { data } = await predict(SKY, observation, { context, precision });
      assertNear(data, samples, 2e-5, `${kind} ${observation.format} ${precision}`); // baselines of UVFITS are single
    }
  });
});

Deno.test("sets of version 4 have the signs of Measurement Sets, from any format and with any convention", async () => {
  await using context = createContext({ memory: "32MiB", workers: 0 });
  await each(async (observation, kind, folder) => {
    for (const convention of ["casa", "fourier"] as const) {
      const out = join(folder, `${kind}_${observation.format}_${convention}.zarr`);
      await (await planObservation(SKY, observation, out, { context, convention })).run();
      await using written = await openObservation(out);
      assertEquals(written.brightness, undefined);
      assertNear(await seen(written, context), STOKES, 1e-5, out);
    }
  });
});

Deno.test("receptors turn the same way in conjugated samples", async () => {
  await using context = createContext({ memory: "32MiB", workers: 0 });
  const found: Record<string, Map<string, readonly number[]>> = {};
  await each(async (observation, kind) => {
    if (observation.format === "uvfits") return;
    const model = await predict(SKY, observation, { context, terms: [feedRotation(kind)] });
    const data = ordered(model.data, observation, kind);
    const { rows, brightness: { conjugated = false, halved = false } = {} } = observation;
    assertEquals([conjugated, halved], [observation.format === "uvh5", kind === "circular"]);
    const [times, first, second] = await Promise.all(
      [observation.timeIndex, observation.antenna1, observation.antenna2].map((read) => read(0, rows)),
    );
    const cell = data.length / rows;
    found[`${kind} ${observation.format}`] = new Map(Array.from({ length: rows }, (_, row) => {
      const values = data.slice(row * cell, (row + 1) * cell);
      return [
        [times![row], first![row], second![row]].join(),
        Array.from(values, (value, i) => i % 2 === 1 && conjugated ? -value : value),
      ];
    }));
  });
  for (const kind of KINDS) {
    const [ms, uvh5] = [found[`${kind} ms`]!, found[`${kind} uvh5`]!];
    assertEquals(uvh5.size, ms.size);
    for (const [row, values] of uvh5) assertNear(values, ms.get(row)!, 1e-9, `${kind} ${row}`);
  }
});

Deno.test("fits find Q, U and V of conjugated and of halved samples", async () => {
  await using context = createContext({ memory: "32MiB", workers: 0 });
  await each(async (observation, kind) => {
    const { rows, field, frequencies, convention, brightness = {} } = observation;
    const model = skyModel(SKY, field);
    const { sky } = await fitSources({
      uvw: await observation.uvw(0, rows),
      frequency: frequencies,
      observed: Float64Array.from(
        await predict(SKY, observation, { context }).then(({ data }) => ordered(data, observation, kind)),
      ),
      sky: { ...model, stokes: Float64Array.of(1.8, 0, 0, 0) },
    }, { parameters: ["I", "Q", "U", "V"], feed: kind, convention, brightness, context });
    assertNear(sky.stokes, STOKES, 1e-6, `${kind} ${observation.format}`);
  });
});

/** Samples in the order that fits take. */
function ordered(data: ArrayLike<number>, { correlations }: Observation, kind: string): number[] {
  const places = (kind === "linear" ? ["XX", "XY", "YX", "YY"] : ["RR", "RL", "LR", "LL"]).map((name) =>
    correlations.indexOf(name)
  );
  return Array.from(
    { length: data.length / 8 },
    (_, i) => places.flatMap((place) => [data[8 * i + 2 * place]!, data[8 * i + 2 * place + 1]!]),
  ).flat();
}

Deno.test("another sum of correlations than avg and sum is refused by name", async () => {
  await using archive = await unpacked(new URL("../../data/observations/signs.tgz", import.meta.url));
  const path = join(archive.folder, "circular.uvfits");
  const bytes = await Deno.readFile(path);
  const place = new TextDecoder().decode(bytes.subarray(0, 2880 * 6)).indexOf("'sum     '");
  bytes.set(new TextEncoder().encode("'max     '"), place);
  await Deno.writeFile(path, bytes);
  await assertRejects(() => openObservation(path), Error, 'I is the "max" of XX and YY');
});
