/**
 * Sources that can be changed while somebody reads them: old bytes and new ones, as files or on a server.
 *
 * @module
 */

import h5wasm from "h5wasm";
import { mibHdr, mibPieces } from "../../formats/mib/mib_files.ts";
import type { OpenOptions } from "../../../src/formats/open.ts";
import { join } from "../../formats/helpers.ts";
import { type Answer, type Question, rightAnswer, serve } from "../../io/range_server.ts";

/** Shape of the scan and of its frames. */
export const SHAPE = { nav: [15, 24], sig: [32, 32] } as const;
const FRAMES = SHAPE.nav[0] * SHAPE.nav[1];
const PIXELS = SHAPE.sig[0] * SHAPE.sig[1];

/** A file of a source, as it is and as it will be. */
export interface Changing {
  readonly name: string;
  readonly old: Uint8Array<ArrayBuffer>;
  readonly now: Uint8Array<ArrayBuffer>;
}

/** What a kind of source is made of; the first file is opened, the one at `changes` is changed. */
export interface Made {
  readonly files: readonly Changing[];
  readonly changes: number;
  readonly options: OpenOptions;
}

/** The samples before (`0`) or after (`1`) the change: no frame has the same sum in both. */
function samples(version: number): Uint16Array<ArrayBuffer> {
  return Uint16Array.from({ length: FRAMES * PIXELS }, (_, i) => {
    const frame = Math.floor(i / PIXELS);
    return version * 2000 + frame + (i * 2654435761 >>> 23);
  });
}

const VERSIONS = [samples(0), samples(1)] as const;

/** The sum of every frame before the change. */
export const OLD_SUMS: readonly number[] = Array.from(
  { length: FRAMES },
  (_, f) => VERSIONS[0].subarray(f * PIXELS, (f + 1) * PIXELS).reduce((sum, value) => sum + value, 0),
);

/** Every kind of source, by name. */
export const KINDS: Readonly<Record<string, () => Promise<Made>>> = {
  npy: () => Promise.resolve(one("scan.npy", VERSIONS.map(npy), {})),
  raw: () => Promise.resolve(one("scan.raw", VERSIONS.map(bytesOf), { ...RAW })),
  "hdf5 in chunks": async () => one("scan.h5", await Promise.all(VERSIONS.map((data) => hdf5(data))), {}),
  "hdf5 with gzip": async () => one("scan.h5", await Promise.all(VERSIONS.map((data) => hdf5(data, 4))), {}),
  "mib series": () => mibSeries(1),
  "mib series, last file": () => mibSeries(3),
  "side file of mib": () => mibSeries(0),
};

const RAW = { format: "raw", dtype: "uint16", nav: [...SHAPE.nav], sig: [...SHAPE.sig] } as const;

function one(name: string, [old, now]: readonly Uint8Array<ArrayBuffer>[], options: OpenOptions): Made {
  const size = Math.max(old!.length, now!.length);
  return { files: [{ name, old: padded(old!, size), now: padded(now!, size) }], changes: 0, options };
}

/** Two versions of a file have the same size, so that it tells nothing. */
function padded(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  return bytes.length === size ? bytes : join(bytes, new Uint8Array(size - bytes.length));
}

function bytesOf(data: Uint16Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(data.buffer);
}

function npy(data: Uint16Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const shape = [...SHAPE.nav, ...SHAPE.sig].join(", ");
  const dict = `{'descr': '<u2', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117) + "\n";
  return join(
    Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0),
    new TextEncoder().encode(dict),
    bytesOf(data),
  );
}

/** The bytes of an HDF5 file with one array in chunks of four frames. */
export async function hdf5(
  data: Uint16Array,
  compression?: number,
  shape: readonly number[] = [...SHAPE.nav, ...SHAPE.sig],
): Promise<Uint8Array<ArrayBuffer>> {
  const { FS } = await h5wasm.ready;
  const file = new h5wasm.File("made.h5", "w");
  file.create_dataset({
    name: "data",
    data,
    shape: [...shape],
    dtype: "<H",
    chunks: [1, 4, ...shape.slice(2)],
    ...(compression === undefined ? {} : { compression }),
  });
  file.close();
  const bytes = FS.readFile("made.h5") as Uint8Array<ArrayBuffer>;
  FS.unlink("made.h5");
  return bytes;
}

/** Three files of a series and their `.hdr`; `changes` says which one changes, 0 is the `.hdr`. */
async function mibSeries(changes: number): Promise<Made> {
  const each = FRAMES / 3;
  const parts = [0, 1, 2].map(async (part) => {
    const [old, now] = await Promise.all(VERSIONS.map(async (data) => {
      const frames = Array.from({ length: each }, (_, f) => {
        const first = (part * each + f) * PIXELS;
        return data.slice(first, first + PIXELS);
      });
      return join(
        ...await Array.fromAsync(mibPieces(frames, { sig: SHAPE.sig, counterBits: 12 }, 1 + part * each)),
      );
    }));
    return { name: `scan_00${part}.mib`, old: old!, now: now! };
  });
  const encoder = new TextEncoder();
  const [old, now] = [SHAPE.nav, [...SHAPE.nav].reverse()].map((nav) => encoder.encode(mibHdr(nav, 12)));
  return {
    files: [{ name: "scan.hdr", old: old!, now: now! }, ...await Promise.all(parts)],
    changes,
    options: {},
  };
}

/** A server of a file that changes. */
export interface ChangingServer extends AsyncDisposable {
  readonly url: string;
  /** From now on it has the new bytes. */
  change(): void;
}

/** What a server says of the version: an entity tag, a weak one, or the time of the last change. */
export const TAGS = ["strong", "weak", "time"] as const;

/** Serves `old`, later `now`; bodies that are under way go on with the bytes that are there then. */
export function serveChanging({ old, now }: Changing, tag: typeof TAGS[number]): ChangingServer {
  let current = old;
  const server = serve((question) => {
    const version = current === old ? 1 : 2;
    const right = rightAnswer(current, question, tag === "weak" ? `W/"v${version}"` : `"v${version}"`);
    const headers = tag === "time" ? dated(right, version) : right.headers;
    if (tag === "time" && right.status === 412) {
      return { status: 412, headers: headers!, body: new Uint8Array() };
    }
    return { ...right, headers: headers!, ...(right.status === 206 ? { body: body(question) } : {}) };
  });
  /** The range in pieces, each as it is when it is sent: a file that is overwritten while it is served. */
  async function* body({ range }: Question): AsyncGenerator<Uint8Array> {
    const stop = Math.min(range!.stop, current.length);
    for (let at = range!.start; at < stop; at += 8192) {
      yield current.slice(at, Math.min(stop, at + 8192));
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
  return {
    url: server.url,
    change: () => current = now,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function dated({ headers }: Answer, version: number): Record<string, string> {
  const { etag: _, ...rest } = headers ?? {};
  return { ...rest, "last-modified": `Sun, 0${version} Nov 2026 10:00:00 GMT` };
}
