/**
 * Every target × every type of sample × every description: what is read again is what was written, or the target has refused
 * it, or its loss is named. The lists are those of the registries, so that a new target joins by itself.
 */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { open } from "../../src/formats/open.ts";
import { createContext } from "../../src/runner/context.ts";
import { save } from "../../src/pictures/save.ts";
import { lossesOf } from "../../src/sinks/losses.ts";
import { endingsFor, TARGETS } from "../../src/sinks/registry.ts";
import { joinedBytes } from "../../src/space/bytes.ts";
import { type DType, dtypeInfo, DTYPES } from "../../src/space/dtype.ts";
import { tiffStack } from "../../src/sinks/rows/tiff.ts";
import { mulberry32 } from "../kernels/call.ts";
import { type NDArray, ndarray } from "../../src/space/ndarray.ts";
import { arrayOf } from "../../src/views/array.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { copySamples } from "../../src/views/operations/copy_samples.ts";
import { fileSink } from "../../src/views/sinks/registry.ts";
import { keptBy } from "../../src/sinks/stored/registry.ts";
import { withFolder } from "../cli/harness.ts";
import { counted, DESCRIBED, type Described, describedArray } from "./described.ts";
import { compareAxes } from "./kept.ts";

/** The type that a reader gives back, where it is another one that holds the same numbers: TIFF has no bool and no float16, FITS no bool. */
function readAs(dtype: DType, path: string): DType {
  if (dtype === "bool" && /\.(tiff?|fits)$/.test(path)) return "uint8";
  return dtype === "float16" && /tiff?$/.test(path) ? "float32" : dtype;
}

async function check(described: Described, dtype: DType, path: string): Promise<boolean> {
  await using context = createContext({ workers: 0 });
  const array = await describedArray(described, dtype);
  try {
    await mapViews(array, copySamples(), { sink: fileSink(path), context });
  } catch (error) {
    assert(error instanceof TilewiseError && error.code === "unsupported", String(error));
    return false;
  }
  const read = await open(path);
  assertEquals(read.shape, described.shape);
  assertEquals(read.dtype, readAs(dtype, path));
  const { data } = await mapViews(arrayOf(read), copySamples(), { context }) as NDArray;
  const expected = counted(dtype, described.shape);
  assertEquals(
    Array.from(data as ArrayLike<number | bigint>),
    Array.from(expected as ArrayLike<number | bigint>),
  );
  compareAxes(
    described.axes,
    read.axes,
    lossesOf(await keptBy(path), { ...described, dtype }),
    /\.\w+$/.exec(path)![0],
  );
  return true;
}

for (const ending of endingsFor("results")) {
  Deno.test(`${ending} keeps samples of every type, and axes or names what it loses`, async () => {
    await withFolder(async (folder) => {
      const held: string[] = [];
      for (const [n, described] of Object.values(DESCRIBED).entries()) {
        const types = n === 0 ? DTYPES : ["uint16" as const];
        for (const dtype of types) {
          if (await check(described, dtype, `${folder}/${n}${dtype}${ending}`)) held.push(dtype);
        }
      }
      assert(held.includes("uint16") || ending.includes("ome"), `${ending} holds ${held}`);
    });
  });
}

Deno.test("signals of HyperSpy keep which axes are navigation", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0 });
    for (const ending of [".hspy", ".zspy"]) {
      for (const [n, described] of Object.values(DESCRIBED).entries()) {
        const path = `${folder}/${n}${ending}`;
        await mapViews(await describedArray(described, "uint16"), copySamples(), {
          sink: fileSink(path),
          context,
        });
        const { navShape, warnings } = await open(path);
        assertEquals([navShape, warnings], [described.shape.slice(0, described.nav), []], path);
      }
      const image = arrayOf(await open({ data: new Uint16Array(12), shape: [3, 4] }));
      const axes = [{ name: "y", kind: "scan" }, { name: "kx", kind: "detector" }] as const;
      const path = `${folder}/image${ending}`;
      await mapViews({ ...image, nav: 0, axes }, copySamples(), { sink: fileSink(path), context });
      assertEquals((await open(path)).navShape, [], "what is said counts more than kinds");
    }
  });
});

Deno.test("arrays in memory are saved with the type that they have, whatever holds them", async () => {
  await withFolder(async (folder) => {
    const { shape, axes } = DESCRIBED["channels of an image"]!;
    for (const dtype of DTYPES) {
      const array = { ...ndarray(counted(dtype, shape) as never, shape, dtype), axes };
      for (const { endings: [ending] } of TARGETS.filter(({ arrays }) => arrays === "rows")) {
        const path = `${folder}/${dtype}${ending}`;
        if (ending === ".fits" && /complex|float16/.test(dtype)) {
          await assertRejects(() => save(array, path), TilewiseError, "FITS");
          continue;
        }
        await save(array, path);
        const read = await open(path);
        assertEquals([read.shape, read.dtype], [shape, readAs(dtype, path)], path);
      }
    }
  });
});

Deno.test("pages of TIFF that are smaller than their directories lie as tifffile takes them", () => {
  const random = mulberry32(5);
  for (let n = 0; n < 300; n++) {
    const [count, height, width] = [2, 1, 1].map((least) => least + Math.floor(random() * 9)) as Shape3;
    const dtype = DTYPES[n % DTYPES.length]!, frame = height * width * dtypeInfo(dtype).itemSize;
    const { head, headerBytes, footerBytes, header } = tiffStack.layout(
      { nav: [count], sig: [height, width], dtype, stem: "" },
    );
    const frames = Array.from({ length: count }, (_, i) => [
      header?.(i) ?? new Uint8Array(0),
      new Uint8Array(frame).fill(i + 1),
      new Uint8Array(footerBytes),
    ]);
    const view = new DataView(joinedBytes([head, ...frames.flat()]).buffer);
    const directories: { at: number; samples: number }[] = [];
    for (let at = view.getUint32(4, true); at > 0;) {
      const tags = view.getUint16(at, true);
      const places = Array.from({ length: tags }, (_, k) => at + 2 + 12 * k);
      const strip = places.find((place) => view.getUint16(place, true) === 273)!;
      directories.push({ at, samples: view.getUint32(strip + 8, true) });
      at = view.getUint32(at + 2 + 12 * tags, true);
    }
    assertEquals(directories.map(({ samples }) => view.getUint8(samples)), frames.map((_, i) => i + 1));
    const [first, second] = directories as [typeof directories[0], typeof directories[0]];
    const isOneRun = first.at + count * frame < second.at; // what tifffile asks in _series_shaped
    if (isOneRun || headerBytes === 0) {
      assertEquals(
        directories.map(({ samples }) => samples),
        frames.map((_, i) => first.samples + i * frame),
      );
    }
  }
});

type Shape3 = [number, number, number];
