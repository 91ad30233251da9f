/**
 * Views from tiles under stress: caches down to one tile, up to eight workers, tiles that fail, requests that are
 * cancelled, views that are returned in any order. Each view has the right samples or a typed error, every request ends,
 * and all memory comes home.
 *
 * @module
 */

import { isTilewiseError } from "../../../src/errors.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { type Border, BORDERS } from "../../../src/space/border.ts";
import { gridOf } from "../../../src/space/box.ts";
import { type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import { tileLoader } from "../../../src/views/tiles/loaders/tile_loader.ts";
import type { TiledView } from "../../../src/views/tiles/tiled_view.ts";
import { openViews } from "../../../src/views/tiles/open.ts";
import type { Requested, Views } from "../../../src/views/tiles/views.ts";
import { mulberry32 } from "../../kernels/call.ts";
import { slowView } from "../../views/data.ts";
import { type Part, Tally, within } from "../part.ts";

const MODULE = import.meta.resolve("../../views/tiles/module_loader.ts");

/** Milliseconds for one case. */
const LIMIT = 60_000;

/** One case: an image, its views, and what happens to them. */
interface Case {
  readonly shape: Shape;
  readonly tile: Shape;
  readonly physical: Shape;
  readonly radius: Shape;
  readonly border: Border;
  readonly broken: ReadonlySet<string>;
  readonly random: () => number;
}

/** The part. */
export const VIEWS: Part = {
  name: "views",
  help: "views from tiles: right samples or a typed error, whatever is cancelled, fails, or is returned when",
  run: async ({ seed, quick }) => {
    const tally = new Tally();
    const each = quick ? 4 : 120;
    for (const workers of quick ? [0, 8] : [0, 1, 2, 8]) {
      await using context = createContext({ memory: "16MiB", workers });
      for (let n = 0; n < each; n++) {
        const number = seed * 1_000_003 + workers * 1009 + n;
        await tally.add(`${workers} workers, case ${n}`, async () => {
          const found = await within(LIMIT, oneCase(number, context));
          return found === "late" ? `it did not end within ${LIMIT / 1000} s` : found;
        });
      }
      await context.settled();
      if (context.used > 0) {
        tally.findings.push({ at: `${workers} workers`, text: `${context.used} bytes are not home` });
      }
    }
    return tally;
  },
};

function someCase(seed: number): Case {
  const random = mulberry32(seed);
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const list = (least: number, most: number) => [whole(least, most), whole(least, most)];
  const shape = list(5, 40);
  const physical = list(3, 9);
  const { counts } = gridOf(shape, physical);
  const broken = Array.from({ length: whole(0, 2) }, () => `${counts.map((n) => Math.floor(random() * n))}`);
  const names = Object.keys(BORDERS) as Border[];
  return {
    shape,
    physical,
    tile: random() < 0.3 ? physical : list(2, 14),
    radius: random() < 0.3 ? [0, 0] : list(0, 8),
    border: names[whole(0, names.length - 1)]!,
    broken: new Set(broken),
    random,
  };
}

async function oneCase(seed: number, context: Context): Promise<string | undefined> {
  const one = someCase(seed);
  const { shape, physical, tile, radius, border, broken, random } = one;
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const params = {
    shape: [...shape],
    tile: [...physical],
    broken: [...broken],
    slow: random() < 0.3 ? 1 : 0,
  };
  const tileBytes = Math.ceil(sizeOf(physical) * 8 / 64) * 64;
  await using views = await openViews(tileLoader(MODULE, { export: "synthetic", params }), {
    tile,
    radius,
    border,
    ahead: whole(0, 6),
    cache: tileBytes * (random() < 0.3 ? 1 : whole(1, 20)),
    ordered: random() < 0.5,
    policy: random() < 0.3 ? "lru" : "plan",
    retries: whole(0, 1),
    users: random() < 0.2 ? 2 : 1,
    waitForReturns: true,
    context,
  });
  const requests = requested(views, one);
  const reads = Array.from({ length: whole(0, 3) }, () => read(views, one));
  const problem = await consumed(views, one, requests);
  const wrong = (await Promise.all(reads)).find((text) => text !== undefined);
  return problem ?? wrong;
}

/** Some requests. */
function requested(views: Views, { random, shape, tile }: Case): Requested[] {
  const { counts } = gridOf(shape, tile);
  const some = () => unravel(Math.floor(random() * sizeOf(counts)), counts);
  const all = random() < 0.6 ? [views.requestAll({ traversal: random() < 0.5 ? "snake" : "hilbert" })] : [];
  const many = Array.from({ length: Math.floor(random() * 8) }, () => {
    const list = Array.from({ length: 1 + Math.floor(random() * 5) }, some);
    return views.requestMany(list, { priority: Math.floor(random() * 3) });
  });
  return [...all, ...many];
}

/** Takes all views, holds a few of them, and cancels now and then. */
async function consumed(views: Views, one: Case, requests: Requested[]): Promise<string | undefined> {
  const { random } = one;
  const { users, memory } = views.plan;
  const held: TiledView[] = [];
  let overwritten: string | undefined;
  const giveBack = () => {
    const view = held.splice(Math.floor(random() * held.length), 1)[0]!;
    overwritten ??= differs(view, one);
    for (let user = 0; user < users; user++) view.release();
  };
  for (let more = true; more;) {
    if (random() < 0.05) requests[Math.floor(random() * requests.length)]?.cancel();
    if (random() < 0.01) views.cancel();
    while (held.length > 0 && (held.length >= memory.views - 1 || random() < 0.5)) giveBack();
    try {
      const view = await views.next();
      if (view) held.push(view);
      const wrong = view && differs(view, one);
      if (wrong) return wrong;
      more = view !== undefined;
    } catch (error) {
      const wrong = strange(error, one);
      if (wrong) return wrong;
    }
  }
  while (held.length > 0) giveBack();
  return overwritten;
}

/** Reads one view beside the others. */
async function read(views: Views, one: Case): Promise<string | undefined> {
  const { counts } = gridOf(one.shape, one.tile);
  try {
    const view = await views.read(unravel(Math.floor(one.random() * sizeOf(counts)), counts));
    const wrong = differs(view, one);
    for (let user = 0; user < views.plan.users; user++) view.release();
    return wrong;
  } catch (error) {
    return strange(error, one);
  }
}

function differs(view: TiledView, one: Case): string | undefined {
  const expected = slowView(one.shape, view.index, { ...one, fill: 0 });
  const at = expected.findIndex((value, i) => Number(view.data[i]) !== value);
  return at < 0 ? undefined : `view ${view.index}: sample ${at} is ${view.data[at]}, not ${expected[at]}`;
}

/** What is wrong with an error: it must be that of a broken tile, or of a cancel. */
function strange(error: unknown, { broken }: Case): string | undefined {
  if (isTilewiseError(error, "aborted")) return undefined;
  const isBroken = isTilewiseError(error, "udf") &&
    broken.has(String(error.details["tile"]).replace(", ", ","));
  return isBroken ? undefined : `an error that nothing explains: ${error}`;
}
