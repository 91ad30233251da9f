/** UVH5 as observations: what pyuvdata wrote. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
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
