/**
 * Files of the user that values of parameters name: `@gain.npy`.
 *
 * @module
 */

import { type NDArray, open, read, TilewiseError } from "@tilewise/tilewise";

/** Reads the file called `name` as an array; a stack of one frame is that frame. */
export async function readNamed(files: ReadonlyMap<string, Blob>, name: string): Promise<NDArray> {
  const dataset = await open(named(files, name));
  const { data, shape, stride, dtype } = await read(dataset);
  if (dataset.frames !== 1) return { data, shape, stride, dtype } as NDArray;
  const own = dataset.sigShape;
  return { data, shape: own, stride: stride.slice(stride.length - own.length), dtype } as NDArray;
}

function named(files: ReadonlyMap<string, Blob>, name: string): Blob {
  const file = files.get(name);
  if (file) return file instanceof File ? file : new File([file], name);
  const known = [...files.keys()];
  const text = `The file ${name} is not open in the page; choose it in the form` +
    (known.length > 0 ? `, or use one of ${known.join(", ")}` : "");
  throw new TilewiseError("not-found", text, { file: name });
}
