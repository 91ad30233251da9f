/**
 * Tables of the objects of an image: what was measured of them, in samples and in the units of the axes, and as text.
 *
 * @module
 */

import type { Dataset } from "../dataset/dataset.ts";
import { alongIn, type AxesInput } from "../views/chain/dimensions.ts";
import type { LabelMeasures } from "../views/measure/measure.ts";

/** Columns of one length; of big tables as well. */
export type Columns = Readonly<Record<string, ArrayLike<number | bigint>>>;

/** What is measured of each object, in samples: a row per label, and columns for each dimension. */
export function objectColumns(
  { count, labels, area, centroid, origin, size, mean, min, max }: LabelMeasures,
  { axes, navShape }: Pick<Dataset, "axes" | "navShape">,
): Columns {
  const rank = centroid.shape[1] ?? 0;
  const names = axes.map(({ name }) => navShape.length > 0 ? name : name.replace(/^k(?=[xyz]$)/, ""));
  const column = (all: Float64Array, d: number) =>
    Float64Array.from({ length: count }, (_, i) => all[i * rank + d]!);
  const perAxis = (what: string, { data }: { readonly data: Float64Array }) =>
    names.map((name, d) => [`${what}_${name}`, column(data, d)] as const);
  return {
    label: labels,
    area,
    ...Object.fromEntries([
      ...perAxis("centroid", centroid),
      ...perAxis("origin", origin),
      ...perAxis("size", size),
    ]),
    ...(mean && min && max ? { mean, min, max } : {}),
  };
}

/**
 * Centroids in the units of their axes, and areas where all axes of an image have the same unit. The unit is in the names:
 * `area (µm²)`.
 */
export function objectsInUnits(
  { count, area, centroid }: LabelMeasures,
  { axes, shape }: Pick<Dataset, "axes" | "shape">,
  asked: AxesInput | undefined,
): Columns {
  const rank = axes.length;
  const column = (at: (i: number) => number) => Float64Array.from({ length: count }, (_, i) => at(i));
  const places = axes.flatMap(({ name, size, scale, offset = 0, unit }, d) =>
    size > 1 && scale !== undefined && unit !== undefined
      ? [
        [`centroid_${name} (${unit})`, column((i) => offset + scale * centroid.data[i * rank + d]!)] as const,
      ]
      : []
  );
  const dims = alongIn("measure", { shape, axes }, asked)?.dims ?? [...axes.keys()];
  const used = dims.map((d) => axes[d]!).filter(({ size }) => size > 1);
  const unit = used[0]?.unit;
  const isArea = unit !== undefined && used.every((axis) => axis.unit === unit && axis.scale !== undefined);
  const pixel = used.reduce((all, { scale = 1 }) => all * Math.abs(scale), 1);
  return {
    ...(isArea
      ? { [`area (${unit}${POWERS[used.length] ?? `^${used.length}`})`]: column((i) => area[i]! * pixel) }
      : {}),
    ...Object.fromEntries(places),
  };
}

/** Powers of a unit, by how many dimensions. */
const POWERS: readonly string[] = ["", "", "²", "³"];

/** Rows per piece of a file. */
const PIECE = 4096;

/** The columns as `.csv`, in pieces. */
export function* csvLines(columns: Columns): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const names = Object.keys(columns), all = Object.values(columns);
  const rows = all[0]?.length ?? 0;
  yield encoder.encode(names.join(",") + "\n");
  for (let at = 0; at < rows; at += PIECE) {
    const lines = Array.from(
      { length: Math.min(PIECE, rows - at) },
      (_, i) => all.map((c) => c[at + i]).join(","),
    );
    yield encoder.encode(lines.join("\n") + "\n");
  }
}
