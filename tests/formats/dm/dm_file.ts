/**
 * Writes small DigitalMicrograph files: one image with the tags that decide how it is shown.
 *
 * @module
 */

import { ascii, join } from "../bytes.ts";

/** What a file has. */
export interface DmFile {
  /** 3 or 4. Default 4. */
  readonly version?: 3 | 4;
  /** Byte order of values. Default little. */
  readonly bigEndian?: boolean;
  /** Dimensions, fastest first, as DM lists them. */
  readonly dimensions: readonly number[];
  /** Samples: uint16, in the order of storage, or the bytes of samples of the type. */
  readonly data: Uint16Array;
  /** The tag "DataType". Default 10, uint16. */
  readonly type?: number;
  /** The tag "Data Order Swapped". */
  readonly swapped?: boolean;
  /** The tag "Name" of the image. */
  readonly name?: string;
  /** The tag "Format". */
  readonly format?: string;
  /** Scale and unit of the dimensions, fastest first. */
  readonly axes?: readonly (readonly [scale: number, unit: string])[];
}

type Value = Tags | boolean | { readonly u32: number } | { readonly f32: number } | string | Uint16Array;
interface Tags {
  readonly [name: string]: Value;
}

/** The bytes of a file. */
export function dmBytes(file: DmFile): Uint8Array<ArrayBuffer> {
  const { version = 4, bigEndian = false, dimensions, data, type = 10, swapped, name, format, axes } = file;
  const writer = new TagWriter(version, !bigEndian);
  const metadata = {
    ...(swapped === undefined ? {} : { "Data Order Swapped": swapped }),
    ...(format === undefined ? {} : { Format: format }),
  };
  const dimension = (axes ?? []).map(([scale, unit]) => ({
    Origin: { f32: 0 },
    Scale: { f32: scale },
    Units: unit,
  }));
  const image: Tags = {
    ...(name === undefined ? {} : { Name: name }),
    ImageData: {
      ...(axes ? { Calibrations: { Dimension: numbered(dimension) } } : {}),
      Data: data,
      DataType: { u32: type },
      Dimensions: numbered(dimensions.map((u32) => ({ u32 }))),
    },
    ...(Object.keys(metadata).length > 0 ? { ImageTags: { "Meta Data": metadata } } : {}),
  };
  const root = writer.group({ ImageList: { " 0": image } });
  const size = version === 3 ? writer.big(4, root.length) : writer.big(8, root.length);
  return join(writer.big(4, version), size, writer.big(4, bigEndian ? 0 : 1), root, new Uint8Array(8));
}

/** Tags without names are told apart by their numbers; a leading blank marks them here. */
function numbered(values: readonly Value[]): Tags {
  return Object.fromEntries(values.map((value, i) => [` ${i}`, value]));
}

class TagWriter {
  constructor(private readonly version: 3 | 4, private readonly little: boolean) {}

  /** A number of the structure: always big endian. */
  big(bytes: 2 | 4 | 8, value: number): Uint8Array {
    const out = new DataView(new ArrayBuffer(bytes));
    if (bytes === 8) out.setBigUint64(0, BigInt(value));
    else if (bytes === 4) out.setUint32(0, value);
    else out.setUint16(0, value);
    return new Uint8Array(out.buffer);
  }

  /** A group: its members, one after another. */
  group(tags: Tags): Uint8Array {
    const members = Object.entries(tags).map(([name, value]) => this.#tag(name, value));
    return join(Uint8Array.of(1, 0), this.#count(members.length), ...members);
  }

  #count(value: number): Uint8Array {
    return this.big(this.version === 3 ? 4 : 8, value);
  }

  #tag(name: string, value: Value): Uint8Array {
    const isGroup = typeof value === "object" && !(value instanceof Uint16Array) && !("u32" in value) &&
      !("f32" in value);
    const body = isGroup ? this.group(value as Tags) : this.#value(value as Exclude<Value, Tags>);
    const label = ascii(name.startsWith(" ") ? "" : name);
    const head = join(Uint8Array.of(isGroup ? 20 : 21), this.big(2, label.length), label);
    return join(head, this.version === 4 ? this.big(8, body.length) : new Uint8Array(), body);
  }

  #value(value: Exclude<Value, Tags>): Uint8Array {
    const of = (types: number[], bytes: Uint8Array) =>
      join(ascii("%%%%"), this.#count(types.length), ...types.map((type) => this.#count(type)), bytes);
    if (typeof value === "boolean") return of([8], Uint8Array.of(value ? 1 : 0));
    if (typeof value === "string") {
      return of(
        [20, 4, value.length],
        this.#words([...value].map((c) => c.charCodeAt(0))),
      );
    }
    if (value instanceof Uint16Array) return of([20, 4, value.length], this.#words(value));
    const out = new DataView(new ArrayBuffer(4));
    if ("u32" in value) out.setUint32(0, value.u32 as number, this.little);
    else out.setFloat32(0, value.f32 as number, this.little);
    return of(["u32" in value ? 5 : 6], new Uint8Array(out.buffer));
  }

  #words(values: ArrayLike<number>): Uint8Array {
    const out = new DataView(new ArrayBuffer(2 * values.length));
    for (let i = 0; i < values.length; i++) out.setUint16(2 * i, values[i]!, this.little);
    return new Uint8Array(out.buffer);
  }
}
