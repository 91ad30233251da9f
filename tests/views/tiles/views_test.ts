/** How views from tiles are requested, delivered, returned and cancelled. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { Shape } from "../../../src/space/shape.ts";
import { openViews, type OpenViewsOptions, planLoading } from "../../../src/views/tiles/open.ts";
import type { TiledView } from "../../../src/views/tiles/tiled_view.ts";
import type { Views } from "../../../src/views/tiles/views.ts";
import { type CountingLoader, syntheticLoader } from "./loaders.ts";

const context = createContext({ memory: "2MiB", workers: 0 });

/** An image of 5 × 8 tiles of 4 × 4. */
function image(before?: Parameters<typeof syntheticLoader>[2]): CountingLoader {
  return syntheticLoader([[20, 32]], [[4, 4]], before);
}

function opened(loader: CountingLoader, options: OpenViewsOptions = {}): Promise<Views<"float64">> {
  return openViews(loader, { radius: 1, context, ...options });
}

async function indices(views: Views): Promise<string[]> {
  const found: string[] = [];
  for await (using view of views) found.push(`${view.index}`);
  return found;
}

function turns(n = 20): Promise<void> {
  return n === 0
    ? Promise.resolve()
    : new Promise((resolve) => setTimeout(resolve, 0)).then(() => turns(n - 1));
}

Deno.test("a loop over more views than were requested ends, and goes on with later requests", async () => {
  await using views = await opened(image());
  views.request([1, 1]);
  assertEquals(await indices(views), ["1,1"]);
  assertEquals(await views.next(), undefined);
  views.requestMany([[0, 0], [0, 0], [4, 7]]);
  assertEquals(await indices(views), ["0,0", "0,0", "4,7"]);
  views.finish();
  assertEquals(await views.next(), undefined);
  assertThrows(() => views.request([0, 0]), TilewiseError, "finish()");
});

Deno.test("a loop that never returns views ends with an error that says how many are held", async () => {
  await using views = await opened(image(), { ahead: 2 });
  views.requestAll();
  const held: TiledView[] = [];
  const error = await assertRejects(
    async () => {
      for await (const view of views) held.push(view);
    },
    TilewiseError,
    "3 are held",
  );
  assertEquals([error.code, held.length], ["lease", 3]);
  for (const view of held) view.release();
  assertEquals((await indices(views)).length, 37);
});

Deno.test("views with several users wait for all of them, and for a while only", async () => {
  await using views = await opened(image(), { ahead: 0, users: 2, stallTimeout: 40 });
  views.requestMany([[0, 0], [0, 1]]);
  const first = (await views.next())!;
  first.release();
  const next = views.next();
  await assertRejects(() => next, TilewiseError, "1 is held, which take the only place");
  const again = views.next();
  setTimeout(() => first.release(), 1);
  const second = (await again)!;
  assertEquals(second.index, [0, 1]);
  assertThrows(() => first.release(), TilewiseError, "returned 2 times");
  second.release();
  assertEquals(second.data.length, 36);
  second.release();
});

Deno.test("a view that has been returned cannot be used or returned, whoever has its memory now", async () => {
  await using views = await opened(image(), { ahead: 0 });
  const first = await views.read([0, 0]);
  first.release();
  using second = await views.read([2, 2]);
  for (const use of [() => first.data, () => first.pointer, () => first.release()]) {
    const error = assertThrows(use, TilewiseError, "the view of tile (0, 0) of level 0 (generation 1)");
    assertEquals(error.code, "lease");
  }
  assertEquals(second.data[7], 1 + 8 * 32 + 8);
  first[Symbol.dispose]();
});

Deno.test("views that are held when their session is closed cannot be used any more", async () => {
  const views = await opened(image());
  const view = await views.read([0, 0]);
  await views[Symbol.asyncDispose]();
  assertThrows(() => view.data, TilewiseError, "closed");
  await assertRejects(() => views.next(), TilewiseError, "ancelled");
  assertThrows(() => views.request([0, 0]), TilewiseError);
  await context.settled();
  assertEquals(context.used, 0);
});

Deno.test("a tile that two views need is loaded once, also while it is being loaded", async () => {
  const loader = image(() => turns(3));
  await using views = await opened(loader, { ahead: 5 });
  views.requestMany([[1, 1], [1, 2], [1, 1], [2, 1]]);
  await indices(views);
  assertEquals(Math.max(...loader.loads.values()), 1);
  assert(views.statistics().tiles.joined > 0);
});

Deno.test("an index that does not exist is refused at the call", async () => {
  await using views = await opened(image());
  for (const index of [[5, 0], [0, 8], [-1, 0], [0], [0.5, 0]]) {
    assertThrows(() => views.request(index), TilewiseError, "There is no tile");
    assertThrows(() => views.requestMany([[0, 0], index]), TilewiseError, "There is no tile");
    await assertRejects(() => views.read(index), TilewiseError, "There is no tile");
  }
  assertThrows(() => views.request([0, 0], { level: 3 }), TilewiseError, "Level 3 has not been opened");
  assertThrows(() => views.requestAll({ box: { origin: [0, 0], shape: [21, 1] } }), TilewiseError, "box");
  assertEquals(await indices(views), []);
});

Deno.test("the views of a box are those of the tiles that it touches, in any order", async () => {
  await using views = await opened(image());
  views.requestAll({ box: { origin: [3, 8], shape: [2, 5] }, traversal: "snake" });
  assertEquals(await indices(views), ["0,2", "0,3", "1,3", "1,2"]);
});

Deno.test("a tile that fails rejects the views that need it, with their place and path; the others come", async () => {
  const loader = image((index) => {
    if (`${index}` === "2,3") throw new Error("the disk is on fire");
  });
  await using views = await opened(loader, { ahead: 1 });
  views.requestAll();
  const failed: string[] = [];
  const found: string[] = [];
  for (let more = true; more;) {
    try {
      for await (using view of views) found.push(`${view.index}`);
      more = false;
    } catch (error) {
      assert(error instanceof TilewiseError);
      const { view, tile, level, file } = error.details;
      assertEquals([error.code, tile, level, file], ["udf", "2, 3", 0, "synthetic"]);
      assert(error.message.includes("Cannot load tile (2, 3) of level 0 of synthetic: the disk is on fire"));
      failed.push(String(view));
    }
  }
  assertEquals(failed, ["1, 2", "1, 3", "1, 4", "2, 2", "2, 3", "2, 4", "3, 2", "3, 3", "3, 4"]);
  assertEquals(found.length, 31);
});

Deno.test("a tile is tried again as often as was asked, and its error is not remembered", async () => {
  let left = 2;
  const loader = image((index) => {
    if (`${index}` === "0,0" && left-- > 0) throw new Error("not now");
  });
  await using patient = await opened(loader, { retries: 2 });
  (await patient.read([0, 0])).release();
  assertEquals([patient.statistics().tiles.retried, left], [2, -1]);
  left = 2;
  await using hasty = await opened(loader, { retries: 1 });
  await assertRejects(() => hasty.read([0, 0]), TilewiseError, "(tried 2 times): not now");
  (await hasty.read([0, 0])).release();
});

Deno.test("a cancelled request is left out; its tiles are not loaded, or their loads are stopped", async () => {
  const stopped: string[] = [];
  const gate = Promise.withResolvers<void>();
  const loader = image((index, _, signal) => {
    if (`${index}` !== "4,7") return undefined;
    signal.addEventListener("abort", () => stopped.push(`${index}`));
    return gate.promise;
  });
  await using views = await opened(loader, { radius: 0, ahead: 1 });
  const controller = new AbortController();
  views.request([0, 0]);
  const last = views.request([4, 7]);
  views.request([0, 1]);
  const never = views.request([3, 3], { signal: controller.signal });
  views.request([0, 2]);
  await turns();
  last.cancel();
  controller.abort();
  never.cancel(); // once more
  assertEquals(await indices(views), ["0,0", "0,1", "0,2"]);
  assertEquals([stopped, loader.loads.has("0: 3,3")], [["4,7"], false]);
  const again = views.read([4, 7]); // while the stopped load has not ended
  gate.resolve();
  (await again).release();
  const read = views.read([1, 1]);
  views.cancel();
  await assertRejects(() => read, TilewiseError, "cancelled");
  assertThrows(() => views.request([0, 0], { signal: controller.signal }), TilewiseError, "ancelled");
  assertEquals(views.statistics().views.cancelled, 3);
});

Deno.test("views that are ready are dropped when their request is cancelled, also before their turn", async () => {
  const gate = Promise.withResolvers<void>();
  const loader = image((index) => `${index}` === "0,0" ? gate.promise : undefined);
  await using views = await opened(loader, { radius: 0, ahead: 3 });
  views.request([0, 0]);
  const parked = views.requestMany([[1, 0], [1, 1]]);
  views.request([2, 0]);
  await turns();
  parked.cancel();
  views.requestMany([[3, 0], [3, 1]]); // there is room for them now
  await turns();
  assert(loader.loads.has("0: 3,1"));
  gate.resolve();
  await turns();
  views.request([4, 0]).cancel();
  assertEquals(await indices(views), ["0,0", "2,0", "3,0", "3,1"]);
  const ready = views.request([4, 1]);
  await turns();
  ready.cancel();
  assertEquals(await views.next(), undefined);
  views.requestAll();
  await turns();
  views.cancel();
  assertEquals(await indices(views), []);
});

Deno.test("requests with a larger priority come first, also if it has changed", async () => {
  await using views = await opened(image(), { radius: 0, ahead: 0, ordered: false });
  views.request([0, 0]); // is served at once
  const late = views.request([1, 0]);
  views.request([2, 0], { priority: 1 });
  views.request([3, 0]);
  late.priority = 2;
  assertEquals(await indices(views), ["0,0", "1,0", "2,0", "3,0"]);
  views.request([0, 0]);
  const first = views.requestMany([[1, 0], [1, 1]]);
  views.request([2, 0], { priority: 1 });
  first.priority = -1;
  views.request([3, 0]);
  assertEquals(await indices(views), ["0,0", "2,0", "3,0", "1,0", "1,1"]);
});

Deno.test("views come as they are ready, or in the order of their requests across levels", async () => {
  const slow = () =>
    syntheticLoader(
      [[8, 8], [4, 4]],
      [[4, 4], [2, 2]],
      (index, level) => turns(level === 0 && index[0] === 0 ? 30 : 1),
    );
  for (const ordered of [true, false]) {
    await using views = await openViews(slow(), { levels: [0, 1], ahead: 7, ordered, context });
    views.requestMany([[0, 0]], { level: 0 });
    views.requestMany([[0, 1], [1, 1]], { level: 1 });
    views.requestMany([[1, 0]], { level: 0 });
    const found: string[] = [];
    for await (using view of views) found.push(`${view.level}:${view.index}`);
    if (ordered) assertEquals(found, ["0:0,0", "1:0,1", "1:1,1", "0:1,0"]);
    else assertEquals(found.at(-1), "0:0,0");
    assertEquals(found.toSorted(), ["0:0,0", "0:1,0", "1:0,1", "1:1,1"]);
  }
});

Deno.test("no tile is loaded twice in row-major order from 2 W + 2 tiles on; with LRU from 3 W − 1", async () => {
  const W = 8;
  const loads = async (tiles: number, policy: "plan" | "lru") => {
    const loader = syntheticLoader([[4 * 12, 4 * W]], [[4, 4]]);
    await using views = await opened(loader, { ahead: 0, cache: tiles * 128, policy, radius: 2 });
    views.requestAll();
    await indices(views);
    return [...loader.loads.values()].reduce((sum, n) => sum + n, 0);
  };
  const all = 12 * W;
  assertEquals(await loads(2 * W + 2, "plan"), all);
  assert(await loads(2 * W, "plan") > all);
  assertEquals(await loads(3 * W - 1, "lru"), all);
  assert(await loads(3 * W - 2, "lru") > all);
  assert(await loads(2 * W + 2, "lru") > 2 * all);
  assert(await loads(1, "plan") <= await loads(1, "lru"));
});

Deno.test("a view that is a tile gets the memory of the tile, unless the tile is needed again", async () => {
  await using views = await opened(image(), { radius: 0 });
  views.requestAll();
  for await (using view of views) view.data.fill(0); // the tile does not come back
  assertEquals(views.statistics().views.withoutCopy, 40);
  assertEquals(views.statistics().bytes.copied, 0);
  using again = await views.read([1, 1]);
  assertEquals(again.data[0], 1 + 4 * 32 + 4);
  views.requestMany([[0, 0], [0, 0]]);
  for await (using both of views) {
    assertEquals(both.data[0], 1);
    both.data.fill(9);
  }
});

Deno.test("tiles of levels that are kept stay in the cache", async () => {
  for (const policy of ["plan", "lru"] as const) {
    const loader = syntheticLoader([[20, 32], [4, 4]], [[4, 4], [4, 4]]);
    await using views = await openViews(loader, {
      levels: "all",
      cache: 4 * 128,
      keep: [1],
      policy,
      context,
    });
    (await views.read([0, 0], { level: 1 })).release();
    views.requestAll({ levels: [0] });
    await indices(views);
    (await views.read([0, 0], { level: 1 })).release();
    assertEquals(loader.loads.get("1: 0,0"), 1);
  }
});

Deno.test("a signal that outlives its requests keeps none of them", async () => {
  await using views = await opened(image());
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(signal, args);
  };
  views.requestAll({ signal });
  views.request([0, 0], { signal });
  await indices(views);
  assertEquals(listeners, 0);
});

Deno.test("a plan holds exactly the memory that it says, and nothing else", async () => {
  await using own = createContext({ memory: "256KiB", workers: 0 });
  const plan = await planLoading(image(), { radius: 1, ahead: 4, cache: "2KiB", context: own });
  const { views, view, tiles, tile, total } = plan.memory;
  assertEquals([views, view, tiles, tile, total], [5, 320, 16, 128, 5 * 320 + 16 * 128]);
  assert(plan.explain().includes("16 × 128 B for tiles"));
  await using opened = await openViews(plan);
  assertEquals(own.used, total);
  opened.requestAll();
  await indices(opened);
  assertEquals(own.peak, total);
  assert(opened.explain().includes("tile cache"), opened.explain());
  assert(opened.diagram().startsWith("flowchart LR"));
});

Deno.test("a budget that is too small is refused with the sum", async () => {
  await using small = createContext({ memory: 4096, workers: 0 });
  const loader = image();
  const refused = async (options: OpenViewsOptions, text: string) => {
    const error = await assertRejects(
      () => opened(loader, { context: small, ...options }),
      TilewiseError,
      text,
    );
    assertEquals(error.code, "over-budget");
  };
  await refused({ cache: 8000 }, "it needs");
  await refused({ ahead: 20 }, "6.7 KiB = 21 × 320 B for views + 128 B for tiles");
  await refused({ cache: 100 }, "one tile has 128 B");
  await refused({ tile: [40, 40] }, "13.9 KiB = 13.8 KiB for views + 128 B for tiles");
  await using fits = await opened(loader, { context: small });
  fits.requestAll();
  assertEquals((await indices(fits)).length, 40);
});

Deno.test("a read waits for a place, and not for ever", async () => {
  await using views = await opened(image(), { ahead: 0, stallTimeout: 30 });
  const first = await views.read([0, 0]);
  await assertRejects(() => views.read([0, 1]), TilewiseError, "1 is held");
  const second = views.read([0, 1]);
  first.release();
  (await second).release();
});

Deno.test("a traversal of one's own may leave views out and repeat them; a wrong index is an error of the loop", async () => {
  const traversal = (counts: Shape) => [[counts[0]! - 1, 0], [0, 0], [0, 0]];
  await using views = await opened(image(), { traversal });
  views.requestAll();
  assertEquals(await indices(views), ["4,0", "0,0", "0,0"]);
  assertThrows(
    () => views.requestAll({ traversal: () => [[9, 9]] }),
    TilewiseError,
    "visits (9, 9), which is not a tile",
  );
});
