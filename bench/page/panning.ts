/**
 * How an image is dragged about: which tiles are read for it, how long frames take, and what is seen in the end.
 *
 * Both viewers are asked the same from outside: by the mouse, and by the ranges of bytes that their pages ask the server for.
 *
 * @module
 */

/// <reference lib="dom" />

import { fromArrayBuffer } from "geotiff";
import type { Page } from "playwright-core";

/** Pixels to the right and down by which a hand drags the image: to the right end, down, and back. */
const DRAGS = [...Array(4).fill([-640, 0]), [0, -480], ...Array(4).fill([640, 0])] as [number, number][];

/** Moves per drag, and milliseconds between them. */
const MOVES = 40, PACE = 16;

/** Where the image is before: row, column, pixels per sample; both viewers show these samples one by one. */
export const BEGIN = [400, 520, 1] as const;

/** Bytes from the first one to the one before the last. */
type Range = readonly [number, number];

/** A viewer in a page. */
export interface Panned {
  readonly page: Page;
  /** Where the image is in the window. */
  readonly place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** The row and the column in the middle. */
  middle(): Promise<readonly number[]>;
  /** Resolves when all that is seen is there. */
  whole(): Promise<void>;
}

/** What was measured. */
export interface Panning {
  /** Tiles of full resolution, each of one channel, whose bytes were asked for. */
  readonly tiles: number;
  /** From the first move until all is there. */
  readonly seconds: number;
  /** Longest time between two frames, in milliseconds, and the usual one. */
  readonly longest: number;
  readonly usual: number;
  /** Rows and columns by which the middle has moved in all, whatever the direction. */
  readonly moved: number;
  /** Red, green and blue of what is seen around the middle in the end. */
  readonly seen: ArrayLike<number>;
}

/** Remembers the ranges of a file that a page and its workers ask for. */
export function rangesOf(page: Page, name: string): Range[] {
  const asked: Range[] = [];
  page.context().on("request", (request) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers()["range"] ?? "") ?? [];
    if (request.url().includes(name) && last) asked.push([Number(first), Number(last) + 1]);
  });
  return asked;
}

/** Where the tiles of full resolution lie in a TIFF. */
export async function tilesOf(bytes: Uint8Array, planes: number): Promise<Range[]> {
  const tiff = await fromArrayBuffer(bytes.slice().buffer);
  const all: Range[] = [];
  for (let plane = 0; plane < planes; plane++) {
    const { fileDirectory } = await tiff.getImage(plane);
    const [starts, sizes] = await Promise.all(
      ["TileOffsets", "TileByteCounts"].map((tag) =>
        fileDirectory.loadValue(tag as "TileOffsets") as Promise<ArrayLike<number>>
      ),
    );
    all.push(...Array.from(starts!, (start, i): Range => [start, start + sizes![i]!]));
  }
  return all;
}

/** The tiles of which all bytes were asked for. */
function covered(tiles: readonly Range[], asked: readonly Range[]): Set<Range> {
  const joined: [number, number][] = [];
  for (const [start, stop] of asked.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], stop);
    else joined.push([start, stop]);
  }
  return new Set(
    tiles.filter(([start, stop]) => joined.some(([from, to]) => from <= start && stop <= to)),
  );
}

/** Drags the image about. */
export async function pan(
  { page, place, middle, whole }: Panned,
  tiles: readonly Range[],
  asked: readonly Range[],
): Promise<Panning> {
  const before = covered(tiles, asked);
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { times });
    requestAnimationFrame(function note(now) {
      times.push(now);
      requestAnimationFrame(note);
    });
  });
  const start = performance.now();
  let [moved, at] = [0, await middle()];
  for (const drag of DRAGS) {
    await dragBy(page, place, drag);
    const now = await middle();
    moved += Math.hypot(now[0]! - at[0]!, now[1]! - at[1]!);
    at = now;
  }
  await whole();
  const seconds = (performance.now() - start) / 1000;
  const gaps = await page.evaluate(() => {
    const { times } = globalThis as unknown as { times: number[] };
    return times.slice(1).map((time, i) => time - times[i]!).sort((a, b) => a - b);
  });
  return {
    tiles: covered(tiles, asked).difference(before).size,
    seconds,
    longest: gaps.at(-1)!,
    usual: gaps[Math.floor(gaps.length / 2)]!,
    moved,
    seen: await seenIn(page, place),
  };
}

/** One drag through the middle of the image, at the pace of a hand: it waits for no frame. The first two pixels tell that it is a drag. */
async function dragBy(
  page: Page,
  { x, y, width, height }: Panned["place"],
  [right, down]: [number, number],
): Promise<void> {
  const [startX, startY] = [x + width / 2 - right / 2, y + height / 2 - down / 2];
  await page.mouse.move(startX, startY);
  await page.mouse.down();
  await page.mouse.move(startX + 2 * Math.sign(right), startY + 2 * Math.sign(down));
  await page.evaluate(() => new Promise(requestAnimationFrame)); // deck.gl begins to drag where the first move ends
  const moves: Promise<void>[] = [];
  for (let move = 1; move <= MOVES; move++) {
    moves.push(page.mouse.move(startX + right * move / MOVES, startY + down * move / MOVES));
    await new Promise((resolve) => setTimeout(resolve, PACE));
  }
  await Promise.all(moves);
  await page.mouse.up();
}

/** The pixels around the middle. */
async function seenIn(page: Page, { x, y, width, height }: Panned["place"]): Promise<ArrayLike<number>> {
  const clip = { x: x + width / 2 - 150, y: y + height / 2 - 150, width: 300, height: 300 };
  const png = (await page.screenshot({ clip })).toString("base64");
  return await page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext(
      "2d",
    ) as OffscreenCanvasRenderingContext2D;
    context.drawImage(picture, 0, 0);
    return Array.from(context.getImageData(0, 0, picture.width, picture.height).data);
  }, png);
}

/** Mean difference of what both show, in levels of 255. */
export function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new Error(`Pictures of ${a.length} and ${b.length} numbers`);
  return Array.from(a, (value, i) => Math.abs(value - b[i]!)).reduce((sum, one) => sum + one, 0) / a.length;
}
