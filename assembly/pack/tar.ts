/**
 * Tar archives: written so that the same files give the same bytes, and read.
 *
 * @module
 */

/** A file of an archive. */
export interface Entry {
  /** Its path. */
  readonly path: string;
  /** What is in it: text, or bytes. */
  readonly content: string | Uint8Array;
  /** Whether it can be run. */
  readonly runs?: boolean;
}

const BLOCK = 512;

/** A gzipped archive of `files` in `folder`, in the order of their paths. */
export async function tarball(folder: string, files: readonly Entry[]): Promise<Uint8Array<ArrayBuffer>> {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap(({ path, content, runs = false }) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const padded = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK);
    padded.set(bytes);
    return [header(`${folder}/${path}`, bytes.length, runs), padded];
  });
  const archive = new Blob([...parts, new Uint8Array(2 * BLOCK)]);
  return await bytesOf(archive.stream().pipeThrough(new CompressionStream("gzip")));
}

/** The texts in a gzipped archive, by path. */
export async function readTarball(bytes: Uint8Array<ArrayBuffer>): Promise<Map<string, string>> {
  const files = await readTarballBytes(bytes);
  return new Map([...files].map(([path, content]) => [path, new TextDecoder().decode(content)]));
}

/** The files in a gzipped archive, by path. */
export async function readTarballBytes(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const archive = await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  const found = new Map<string, Uint8Array<ArrayBuffer>>();
  const text = (start: number, length: number) =>
    new TextDecoder().decode(archive.subarray(start, start + length));
  const name = (start: number, length: number) => text(start, length).replace(/\0.*$/s, "");
  for (let at = 0; at < archive.length && archive[at] !== 0;) {
    const size = parseInt(name(at + 124, 12), 8);
    const folder = name(at + 345, 155);
    found.set((folder && `${folder}/`) + name(at, 100), archive.slice(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return found;
}

/** A header of the `ustar` format; the time is that of no build. */
function header(path: string, size: number, runs: boolean): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => block.set(new TextEncoder().encode(text), at);
  if (path.length > 100) throw new Error(`The path ${path} is too long for an archive`);
  put(0, path);
  put(100, runs ? "0000755\0" : "0000644\0");
  put(108, "0000000\0".repeat(2)); // nobody's
  put(124, size.toString(8).padStart(11, "0") + "\0");
  put(136, (499162500).toString(8).padStart(11, "0") + "\0"); // 1985, as npm has it: zip archives cannot be older
  put(148, " ".repeat(8));
  put(156, "0"); // a file
  put(257, "ustar\x0000");
  const sum = block.reduce((a, b) => a + b, 0);
  put(148, sum.toString(8).padStart(6, "0") + "\0 ");
  return block;
}

async function bytesOf(stream: ReadableStream<BufferSource>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}
