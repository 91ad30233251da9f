/**
 * Pixels: in memory, or painted row by row when they are requested.
 *
 * @module
 */

/** Samples of a picture, row by row; the channels of a pixel are adjacent. */
export interface Raster {
  /** Pixels per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Numbers per pixel: gray, gray + alpha, RGB, RGBA. */
  readonly channels: 1 | 2 | 3 | 4;
  /** `height × width × channels` numbers; bytes make an 8-bit picture, 16-bit words a 16-bit one. */
  readonly data: Uint8Array | Uint16Array;
}

/** A picture whose rows are painted one by one. */
export interface PixelRows extends Pick<Raster, "width" | "height" | "channels"> {
  /** Bits per sample. */
  readonly bits: 8 | 16;
  /** Whether all pixels are opaque. */
  readonly opaque: boolean;
  /**
   * Whether pixels have few colours, which differ from those of their neighbours, as with most colour maps. Default:
   * no.
   */
  readonly fewColours?: boolean;
  /** Fills `into` with the bytes of row `y`, big-endian. */
  row(y: number, into: Uint8Array): void;
}

/** Bytes per pixel. */
export function pixelBytes({ channels, bits }: Pick<PixelRows, "channels" | "bits">): number {
  return channels * bits / 8;
}

/** The rows of a picture in memory. */
export function rowsOf({ width, height, channels, data }: Raster): PixelRows {
  const each = width * channels;
  const part = (y: number) => data.subarray(y * each, (y + 1) * each);
  const shape = { width, height, channels, opaque: channels % 2 === 1 } as const;
  if (data instanceof Uint8Array) return { ...shape, bits: 8, row: (y, into) => into.set(part(y)) };
  return {
    ...shape,
    bits: 16,
    row(y, into) {
      part(y).forEach((value, i) => {
        into[2 * i] = value >> 8;
        into[2 * i + 1] = value & 255;
      });
    },
  };
}

/** The picture of these rows, in memory. */
export function rasterOf(rows: PixelRows): Raster {
  const { width, height, channels, bits } = rows;
  const pitch = width * pixelBytes(rows);
  const bytes = new Uint8Array(height * pitch);
  for (let y = 0; y < height; y++) rows.row(y, bytes.subarray(y * pitch, (y + 1) * pitch));
  if (bits === 8) return { width, height, channels, data: bytes };
  const view = new DataView(bytes.buffer);
  const data = Uint16Array.from({ length: bytes.length / 2 }, (_, i) => view.getUint16(2 * i));
  return { width, height, channels, data };
}

/** The rows without their alpha channel, if they are RGBA and opaque; otherwise the rows unchanged. */
export function withoutAlpha(rows: PixelRows): PixelRows {
  const { width, channels, bits, opaque } = rows;
  if (channels !== 4 || bits !== 8 || !opaque) return rows;
  const line = new Uint8Array(4 * width);
  return {
    ...rows,
    channels: 3,
    row(y, into) {
      rows.row(y, line);
      for (let x = 0, from = 0, to = 0; x < width; x++, from += 4, to += 3) {
        into[to] = line[from]!;
        into[to + 1] = line[from + 1]!;
        into[to + 2] = line[from + 2]!;
      }
    },
  };
}
