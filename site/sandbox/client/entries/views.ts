/** The entry `@tilewise/tilewise/views` of the sandbox: what goes to a file is kept as an array, which `open` finds. */

import type { NDArray } from "@tilewise/tilewise";
import { mapViews as mapOwn, type MapViewsOptions } from "@tilewise/tilewise/views";
import { defined } from "../../../../src/options.ts";
import { keep } from "../files.ts";

export * from "@tilewise/tilewise/views";

/** A file of the program, as a target. */
class KeptFile {
  constructor(readonly path: string) {}
}

/** The file `path` of the program; how it would be written does not matter. */
export function fileSink(path: string): KeptFile {
  return new KeptFile(path);
}

/** `mapViews` of the library, also into a file of the program. */
export async function mapViews(
  array: Parameters<typeof mapOwn>[0],
  operation: Parameters<typeof mapOwn>[1],
  { sink, ...options }: MapViewsOptions & { readonly sink?: unknown } = {},
): Promise<NDArray | void> {
  if (!(sink instanceof KeptFile)) {
    return await mapOwn(array, operation, { ...options, ...defined({ sink }) } as MapViewsOptions);
  }
  const result = await mapOwn(array, operation, options);
  keep(sink.path, () => result);
}
