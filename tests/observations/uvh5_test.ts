/** UVH5 as observations: what pyuvdata wrote. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { motionOf } from "../../src/observations/meaning/uvh5.ts";
import { openObservation } from "../../src/observations/open.ts";
import { needSamples } from "../formats/conformance/samples.ts";
import { failure } from "../formats/helpers.ts";
import { compare, EXPECTED, pathOf } from "./expected.ts";

Deno.test("a UVH5 file has the rows and samples that were written", async () => {
  await using found = await openObservation(pathOf("small.uvh5"), { field: "source" });
  await compare(found, EXPECTED["small.uvh5"]);
});

Deno.test("options that UVH5 has no meaning for, and fields that it does not have, are refused", async () => {
  await failure(openObservation(pathOf("small.uvh5"), { column: "MODEL_DATA" }), "invalid");
  const error = await failure(openObservation(pathOf("small.uvh5"), { field: 3 }), "not-found");
  assert(error.message.includes('1 "source"'), error.message);
});

Deno.test("antennas of a UVH5 file have the feeds that were written", async () => {
  await using found = await openObservation(pathOf("small.uvh5"));
  const expected = [{ polarization: "X", angle: Math.PI / 2 }, { polarization: "Y", angle: 0 }];
  assertEquals(found.antennas.map(({ receptors }) => receptors), new Array(4).fill(expected));
});

Deno.test("values of the header with another meaning are refused by name", async () => {
  const bytes = await Deno.readFile(pathOf("small.uvh5"));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const folder = await Deno.makeTempDir();
  for (
    const [from, to, expected] of [
      ["itrs", "mcmf", "telescope_frame is mcmf; it must be itrs"],
      ["1.2", "2.2", "version is 2.2; it must be 0 or 1"],
    ] as const
  ) {
    const other = bytes.slice();
    for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) {
      other.set(new TextEncoder().encode(to), at);
    }
    await Deno.writeFile(`${folder}/other.uvh5`, other);
    const error = await failure(openObservation(`${folder}/other.uvh5`), "unsupported");
    assert(error.message.includes(expected), error.message);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("mounts of antennas are those of the file, and distances below 100 pc are refused", async () => {
  await using found = await openObservation(pathOf("small.uvh5"));
  assertEquals(found.antennas.map(({ mount }) => mount), new Array(4).fill("fixed"));
  const direction = { type: "sidereal", frame: "icrs", epoch: undefined, motions: [] };
  assertEquals(motionOf({ ...direction, distance: 1000 }), undefined);
  assert(motionOf({ ...direction, distance: 4.2 })!.includes("4.2 pc away (cat_dist)"));
});

needSamples("UVH5 without its header");
Deno.test({
  name: "HDF5 that is not UVH5 is refused with what is missing",
  ignore: !existing(),
  fn: async () => {
    const error = await failure(openObservation(sample()), "malformed");
    assert(/as UVH5: it has no \/Header\//.test(error.message), error.message);
  },
});

function sample(): string {
  return fromFileUrl(new URL("../../../shared/data/radio/uvh5_like.h5", import.meta.url));
}

function existing(): boolean {
  try {
    return Deno.statSync(sample()).isFile;
  } catch {
    return false;
  }
}
