import { createContext, open, run } from "@tilewise/tilewise";
import { boxMean, labelImage, planMap } from "@tilewise/tilewise/views";
import { assertEquals } from "@std/assert";
import "../../fences/mod.ts";

Deno.test("a result in memory of several pieces is the same from bands and from tiles, in any order", async () => {
  const shape = [300, 700] as const;
  const data = Uint8Array.from({ length: 300 * 700 }, (_, i) => i * 2654435761 >>> 24);
  const image = await open({ data, shape });
  await using context = createContext({ workers: 1 });
  const means = async (blocks: "bands" | "tiles", traversal: "row-major" | "hilbert", tile: number[]) =>
    await run(await planMap(image, boxMean({ radius: 1 }), { blocks, traversal, tile, context }));
  const [whole, ...others] = await Promise.all([
    means("bands", "row-major", [300, 700]),
    means("tiles", "row-major", [300, 700]),
    means("bands", "hilbert", [200, 300]),
    means("tiles", "hilbert", [70, 300]),
  ]);
  for (const other of others) assertEquals(other, whole);
});

Deno.test("labels in memory are those that a sink gets, also of pages that were touched before", async () => {
  const shape = [600, 700] as const;
  const data = Uint8Array.from({ length: 600 * 700 }, (_, i) => i % 3 === 0 ? 1 : 0);
  const image = await open({ data, shape });
  await using context = createContext({ workers: 1 });
  const bands: number[] = [];
  const sink = ({ data }: { readonly data: Uint32Array }) => void bands.push(...data.subarray(0, 700));
  await labelImage(image, { tile: [100, 700], sink, context });
  const { labels, count } = await labelImage(image, { tile: [100, 700], context });
  assertEquals(labels.data.reduce((most, label) => Math.max(most, label)), count);
  assertEquals(
    bands.every((label, i) => label === labels.data[Math.floor(i / 700) * 70_000 + i % 700]),
    true,
  );
});
