import { assert, assertEquals, assertMatch } from "@std/assert";
import { centreOfMass, createContext, open, plan, run, sumFrames } from "../../mod.ts";
import { show } from "../../src/notebook/mod.ts";

const DISPLAY = Symbol.for("Jupyter.display");
const INSPECT = Symbol.for("Deno.customInspect");

type Shows = Record<symbol, () => Record<string, string> | Promise<Record<string, string>>>;

function scan() {
  const samples = Uint8Array.from({ length: 12 * 20 }, (_, k) => (7 * k * k + 3 * k) % 31);
  return open(samples, { format: "raw", dtype: "uint8", nav: [3, 4], sig: [4, 5] });
}

Deno.test("data sets, plans, results and arrays show themselves in a notebook", async () => {
  const dataset = await scan();
  const planned = await plan(dataset, { sum: sumFrames(), com: centreOfMass() });
  const results = await run(planned);
  const bundleOf = async (value: object) => await (value as Shows)[DISPLAY]!();
  const table = await bundleOf(dataset);
  assertMatch(table["text/html"]!, /3 × 4 positions/);
  assertEquals(table["text/plain"], String(dataset));
  const tiles = await bundleOf(planned);
  assertEquals(tiles["text/plain"], planned.explain());
  assertMatch(tiles["text/html"]!, /<svg.*a frame of 4 by 5 in 1 parts/);
  const image = await bundleOf(results.sum!.intensity!);
  assertEquals(atob(image["image/png"]!).slice(1, 4), "PNG");
  assertMatch(image["text/plain"]!, /^sum: 4 × 5 float64, from 101 to 193$/);
  const sheet = await bundleOf(results);
  assertEquals(sheet["text/html"]!.match(/<figure/g)!.length, 1 + Object.keys(results.com!).length);
});

Deno.test("what shows itself is not seen when it is listed, copied or compared", async () => {
  const results = await run(await plan(await scan(), { sum: sumFrames() }));
  const { intensity } = results.sum!;
  assertEquals(Object.keys(intensity!).sort(), ["axes", "data", "dtype", "shape", "stride"]);
  assertEquals(Object.getOwnPropertySymbols({ ...results }), []);
  assertMatch(Deno.inspect(intensity), /sum: 4 × 5 float64, from/);
  assertMatch(String((await scan() as unknown as Shows)[INSPECT]!()), /raw/);
});

Deno.test("show updates one display, seldom enough, and ends with the whole result and its manifest", async () => {
  await using context = createContext({ workers: 0 });
  const planned = await plan(await scan(), { sum: sumFrames() }, { partitions: 12, context });
  const calls: { update: boolean; display_id: string; text: string }[] = [];
  const display = async (value: object, options: { update: boolean; display_id: string }) => {
    calls.push({ ...options, text: (await (value as Shows)[DISPLAY]!())["text/plain"]! });
  };
  const { results, manifest } = await show(planned, { display, rate: 0.01 });
  assertEquals(calls.map(({ update }) => update), [false, true]);
  assertEquals(new Set(calls.map(({ display_id }) => display_id)).size, 1);
  assertEquals(calls.at(-1)!.text, "sum: 4 × 5 float64, from 101 to 193");
  assertEquals(results.sum!.intensity!.shape, [4, 5]);
  assertEquals(manifest.results.length, 1);
  const often: number[] = [];
  await show(planned, { display: () => void often.push(1), rate: Infinity });
  assert(often.length > 2);
});
