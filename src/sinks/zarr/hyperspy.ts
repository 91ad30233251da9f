/**
 * Arrays of Zarr as HyperSpy has them (`.zspy`): version 2, in a group of groups that describe the signal as `.hspy` does.
 *
 * @module
 */

import type { AxisFacts } from "../../space/axes.ts";
import type { ArrayToStore } from "../chunks/file.ts";
import type { ChunkTarget } from "../chunks/target.ts";
import { hyperspySignal, navigationOf } from "../hyperspy_signal.ts";
import { jsonText, zarray } from "./metadata.ts";

/** The files of `target`, an array, as those of the samples of a signal. */
export function asSignal(
  target: ChunkTarget,
  array: ArrayToStore,
  axes: readonly AxisFacts[] = [],
): ChunkTarget {
  const { shape } = array;
  const { file, name, groups } = hyperspySignal(shape, navigationOf({ ...array, axes }), axes, array);
  const signal = `Experiments/${name}`;
  return {
    ...target,
    facts: { zspy: target.facts },
    *places() {
      for (const place of target.places()) yield { ...place, file: `${signal}/data/${place.file}` };
    },
    documents: () => [
      ...group("", file),
      ...group("Experiments/", {}),
      ...group(`${signal}/`, {}),
      ...Object.entries(groups).flatMap(([path, attributes]) => group(`${signal}/${path}/`, attributes)),
      ...axes.flatMap(({ positions }, d) => positions ? vector(`${signal}/axis-${d}/axis`, positions) : []),
      ...target.documents().filter(([path]) => path === ".zarray").map(([path, text]) =>
        [`${signal}/data/${path}`, text] as const
      ),
    ],
  };
}

type Document = readonly [path: string, content: string | Uint8Array];

function group(path: string, attributes: object): Document[] {
  const own = (_key: string, value: unknown) => typeof value === "bigint" ? Number(value) : value;
  const text = JSON.stringify(attributes, own, 2) + "\n";
  return [[`${path}.zgroup`, '{ "zarr_format": 2 }\n'], [`${path}.zattrs`, text]];
}

/** Positions along an axis: one chunk, not packed. */
function vector(path: string, positions: readonly number[]): Document[] {
  const [shape, codec] = [[positions.length], { name: "none", level: 0 }];
  const json = zarray({ shape, dtype: "float64", chunk: shape, codec });
  return [
    [`${path}/.zarray`, jsonText(json)],
    [`${path}/0`, new Uint8Array(Float64Array.from(positions).buffer)],
  ];
}
