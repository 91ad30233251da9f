/**
 * Answers that can be asked for in parts: of bytes, or of a file, which is never held as a whole.
 *
 * @module
 */

/** Bytes, or where the file is. */
export type Ranged = Uint8Array | string | URL;

/** The answer to a request for content: all of it, or the range that is asked for. */
export async function rangeOf(
  request: Request,
  content: Ranged,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const size = content instanceof Uint8Array ? content.length : await sizeOfFile(content);
  const said = { ...headers, "accept-ranges": "bytes", etag: `"${size}"`, "cache-control": "no-store" };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("range") ?? "") ?? [];
  if (first === undefined) {
    return new Response(await part(content, 0, size), { headers: { ...said, "content-length": `${size}` } });
  }
  const start = Number(first);
  const stop = last ? Math.min(Number(last) + 1, size) : size;
  if (start >= size) {
    return new Response(null, { status: 416, headers: { ...said, "content-range": `bytes */${size}` } });
  }
  return new Response(await part(content, start, stop), {
    status: 206,
    headers: {
      ...said,
      "content-range": `bytes ${start}-${stop - 1}/${size}`,
      "content-length": `${stop - start}`,
    },
  });
}

async function sizeOfFile(path: string | URL): Promise<number> {
  const { isFile, size } = await Deno.stat(path);
  if (!isFile) throw new Deno.errors.NotFound(String(path));
  return size;
}

/** Parts of up to this size are read at once; larger ones are streamed. */
const AT_ONCE = 2 ** 24;

async function part(content: Ranged, start: number, stop: number): Promise<BodyInit> {
  if (content instanceof Uint8Array) return content.slice(start, stop);
  const file = await Deno.open(content);
  await file.seek(start, Deno.SeekMode.Start);
  if (stop - start > AT_ONCE) return file.readable.pipeThrough(limit(stop - start));
  using _ = file;
  const bytes = new Uint8Array(stop - start);
  for (let at = 0; at < bytes.length;) {
    const count = await file.read(bytes.subarray(at));
    if (count === null) break;
    at += count;
  }
  return bytes;
}

/** Ends a stream after so many bytes. */
function limit(bytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = bytes;
  return new TransformStream({
    transform(piece, controller) {
      controller.enqueue(piece.subarray(0, left));
      left -= Math.min(left, piece.length);
      if (left === 0) controller.terminate();
    },
  });
}
