/** What views from tiles refuse at the call, and loaders that never answer. */

import { syntheticLoader } from "./loaders.ts";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { planViews } from "../../../src/views/plan.ts";
import type { TileLoader } from "../../../src/views/tiles/loaders/tile_loader.ts";
import { openViews } from "../../../src/views/tiles/open.ts";
import { ViewReader } from "../../../src/views/view.ts";

const image = await open({ data: new Uint16Array(35), shape: [5, 7] });
const never = () => new Promise<void>(() => {});

Deno.test("an index that is not a list, and a priority without an order, are refused at the call", async () => {
  await using context = createContext({ workers: 0, memory: "1MiB" });
  await using views = await openViews(image, { tile: [2, 3], context });
  await using reader = await ViewReader.open(planViews(image, { tile: [2, 3], context }));
  for (const index of [undefined, "00", 0, { 0: 0, 1: 0 }]) {
    for (const call of [() => views.request(index as never), () => views.requestMany([index as never])]) {
      assertEquals(assertThrows(call, TilewiseError, "An index is a list of numbers").code, "invalid");
    }
    for (const call of [() => views.read(index as never), () => reader.read(index as never)]) {
      await assertRejects(call, TilewiseError, "An index is a list of numbers");
    }
  }
  for (const indices of [undefined, 5, "ab"]) {
    assertThrows(() => views.requestMany(indices as never), TilewiseError, "takes indices of tiles");
  }
  assertThrows(() => views.request([0, 0], { priority: NaN }), TilewiseError, "not NaN");
  const requested = views.request([0, 0]);
  assertThrows(() => (requested.priority = NaN), TilewiseError, "not NaN");
  requested.cancel();
});

Deno.test("levels are a list with each of them once", async () => {
  await using context = createContext({ workers: 0, memory: "1MiB" });
  for (const levels of [[], [0, 0]]) {
    const error = await assertRejects(() => openViews(image, { levels, context }), TilewiseError);
    assertEquals([error.code, error.details.option], ["invalid", "levels"]);
  }
});

Deno.test("a tile loader with facts that cannot be right is refused", async () => {
  await using context = createContext({ workers: 0, memory: "1MiB" });
  const level = { shape: [8, 8], tile: [4, 4] };
  const wrong: [unknown, string][] = [
    [{ levels: [{ ...level, scale: [NaN, 1] }] }, "numbers above 0"],
    [{ levels: [{ ...level, scale: [0, 1] }] }, "numbers above 0"],
    [{ names: "yx" }, "a list of texts"],
    [{ names: ["y", "y"] }, "two dimensions have one name"],
    [{ name: 5 }, "its name is 5"],
    [{ metadata: null }, "its metadata is null"],
    [{ close: 5 }, "its close is 5"],
  ];
  for (const [more, text] of wrong) {
    const loader = { dtype: "uint8", levels: [level], load: () => {}, ...more as object } as TileLoader;
    const error = await assertRejects(() => openViews(loader, { context }), TilewiseError, text);
    assertEquals(error.code, "invalid");
  }
});

Deno.test("a loader that never answers ends in an error with the tile, and other tiles still come", async () => {
  await using context = createContext({ workers: 0, memory: "1MiB" });
  const loader = syntheticLoader([[8, 8]], [[4, 4]], ([y]) => y === 0 ? never() : undefined);
  await using views = await openViews(loader, { context, loadTimeout: 60 });
  views.requestAll();
  const seen: string[] = [];
  for (let i = 0; i < 4; i++) {
    try {
      using view = (await views.next())!;
      seen.push(view.index.join());
    } catch (error) {
      const { code, details } = error as TilewiseError;
      seen.push(`${code} ${details.view}`);
    }
  }
  assertEquals(seen, ["timeout 0, 0", "timeout 0, 1", "1,0", "1,1"]);
  assertEquals(await views.next(), undefined);
  const again = await assertRejects(() => views.read([0, 0]), TilewiseError, "no tile has come for 0.06 s");
  assertEquals([again.code, again.details.file], ["timeout", "synthetic"]);
});

Deno.test("when no load ever ends, whoever waits for other tiles is told as well", async () => {
  await using context = createContext({ workers: 0, memory: "1MiB" });
  const loader = syntheticLoader([[40, 4]], [[4, 4]], never);
  await using views = await openViews(loader, { context, loadTimeout: 40, ahead: 9 });
  const all = Array.from({ length: 10 }, (_, y) => views.read([y, 0]).catch(({ code }) => code));
  assertEquals(new Set(await Promise.all(all)), new Set(["timeout"]));
});
