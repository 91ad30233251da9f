/** Recorded views, from `../shared/golden/views`; nothing where that folder is not beside the repository. */

import type { Shape } from "../../src/space/shape.ts";

/** A recorded view. */
export interface GoldenView {
  readonly index: Shape;
  readonly level: number;
  readonly viewDims: Shape;
  readonly minPos: Shape;
  readonly maxPos: Shape;
  readonly minTileIndex: Shape;
  readonly maxTileIndex: Shape;
  readonly frontFill: Shape;
  readonly backFill: Shape;
  readonly centralPos: Shape;
  readonly tileRealDims: Shape;
  readonly centralOffset: number;
  readonly data?: readonly (number | null)[];
}

/** Views of one synthetic image. */
export interface GoldenCase {
  readonly name: string;
  readonly fullDims: Shape[];
  readonly tileDims: Shape[];
  readonly radii: Shape;
  readonly border: { readonly type: string; readonly value?: number };
  readonly nbTilesDims: Shape[];
  readonly views: readonly GoldenView[];
}

/** One view with a border. */
export interface GoldenBorder {
  readonly name: string;
  readonly mode: string;
  readonly fullDims: Shape;
  readonly tileDims: Shape;
  readonly index: Shape;
  readonly radii: Shape;
  readonly value: number | null;
  readonly viewDims: Shape;
  readonly data: readonly number[];
}

const FOLDER = new URL("../../../shared/golden/views/", import.meta.url);

/** The cases of a file. */
export function golden<T>(name: string): readonly T[] | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(new URL(`${name}.json`, FOLDER))).cases;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
