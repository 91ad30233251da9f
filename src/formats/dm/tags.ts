/**
 * The tags of DigitalMicrograph files (DM3 and DM4): a tree of named values, of which large arrays stay in the file.
 *
 * ```
 * head    version₃₂ bytes₃₂|₆₄ order₃₂                          big endian, as all counts and lengths
 * group   sorted₈ open₈ tags₃₂|₆₄ tag …
 * tag     kind₈ (20 group, 21 value)  length₁₆ name  [bytes₆₄ in DM4]  group, or %%%% words₃₂|₆₄ types … value
 * ```
 * Source: the format as described by C. Boothroyd and G. Jefferis, and read by RosettaSciIO and ncempy.
 *
 * @module
 */

import { cannot, throwIfAborted, type TilewiseError } from "../../errors.ts";
import { type ByteSource, readBytes } from "../../io/source/source.ts";
import { READ_NUMBER } from "../../memory/sample_reader.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import type { DmHead } from "./head.ts";

/** A value of the tree. */
type DmValue = number | string | boolean | readonly DmValue[] | DmArray | DmGroup;

/** An array that stays in the file. */
export interface DmArray {
  /** Byte of its first element. */
  readonly at: number;
  /** Elements. */
  readonly count: number;
  /** Bytes of an element. */
  readonly itemSize: number;
}

/** A group: values by name; those without a name by their number. */
export class DmGroup {
  /** Its members. */
  readonly members = new Map<string, DmValue>();

  /** The value at a path of names. */
  get(...path: readonly (string | number)[]): DmValue | undefined {
    const [first, ...rest] = path;
    const value = this.members.get(String(first));
    if (rest.length === 0) return value;
    return value instanceof DmGroup ? value.get(...rest) : undefined;
  }

  /** The number at a path. */
  number(...path: readonly (string | number)[]): number | undefined {
    const value = this.get(...path);
    return typeof value === "number" ? value : undefined;
  }

  /** The groups in it, in order. */
  groups(): DmGroup[] {
    return [...this.members.values()].filter((value) => value instanceof DmGroup);
  }

  /** All of it as plain JSON; arrays in the file become their lengths. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([...this.members].map(([name, value]) => [name, plain(value)]));
  }
}

function plain(value: DmValue): unknown {
  if (value instanceof DmGroup) return value.toJSON();
  if (isDmArray(value)) return { elements: value.count };
  return value;
}

/** Whether a value is an array in the file. */
export function isDmArray(value: DmValue | undefined): value is DmArray {
  return typeof value === "object" && value !== null && "at" in value && "itemSize" in value;
}

/** Types of values by their number. */
const TYPES: Readonly<Record<number, keyof typeof READ_NUMBER>> = {
  2: "int16",
  3: "int32",
  4: "uint16",
  5: "uint32",
  6: "float32",
  7: "float64",
  8: "bool",
  9: "int8",
  10: "int8",
  11: "int64",
  12: "uint64",
};
const [STRUCT, STRING, ARRAY] = [15, 18, 20];
/** Arrays up to this many elements are read: names, dimensions, small tables. */
const MOST_READ = 1024;
const MOST_TAGS = 1_000_000;
const MOST_LEVELS = 64;
const PAGE_BYTES = 65536;

/** Reads the tree of tags. Errors: `malformed`, `truncated`. */
export async function readTags(source: ByteSource, head: DmHead, signal?: AbortSignal): Promise<DmGroup> {
  return await new TagReader(source, head, signal).group(head.version === 3 ? 12 : 16);
}

class TagReader {
  #at = 0;
  #tags = 0;
  #page = new Uint8Array(0);
  #pageAt = 0;

  constructor(
    private readonly source: ByteSource,
    private readonly head: DmHead,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** The group at byte `at`. */
  async group(at: number): Promise<DmGroup> {
    this.#at = at;
    return await this.#group(0);
  }

  async #group(level: number): Promise<DmGroup> {
    if (level > MOST_LEVELS) throw this.#error("its tags are nested too deeply");
    throwIfAborted(this.signal);
    await this.#take(2);
    const count = await this.#count();
    const group = new DmGroup();
    for (let i = 0; i < count; i++) {
      if (++this.#tags > MOST_TAGS) throw this.#error("it has too many tags");
      const kind = (await this.#take(1)).getUint8(0);
      if (kind === 0) break; // the end of the file
      const name = await this.#name() || String(i);
      if (this.head.version === 4) await this.#count(); // bytes of what follows
      if (kind === 20) group.members.set(name, await this.#group(level + 1));
      else if (kind === 21) group.members.set(name, await this.#value(name === "Data"));
      else throw this.#error(`a tag has kind ${kind}; 20 and 21 are known`);
    }
    return group;
  }

  async #name(): Promise<string> {
    const length = (await this.#take(2)).getUint16(0);
    const view = await this.#take(length);
    return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset, length));
  }

  async #value(isData: boolean): Promise<DmValue> {
    const mark = (await this.#take(4)).getUint32(0);
    if (mark !== 0x25252525) throw this.#error("a value does not begin with %%%%");
    const words = await this.#count();
    if (words < 1 || words > 4096) throw this.#error(`a value is described by ${words} words`);
    const types: number[] = [];
    for (let i = 0; i < words; i++) types.push(await this.#count());
    const kind = types[0]!;
    if (kind === ARRAY) return await this.#array(types.slice(1), isData);
    if (kind === STRING) return await this.#text(types[1] ?? 0);
    if (kind === STRUCT) return await this.#struct(types);
    return await this.#scalar(kind);
  }

  async #struct(types: readonly number[]): Promise<DmValue[]> {
    const fields = structFields(types);
    const values: DmValue[] = [];
    for (const type of fields) values.push(await this.#scalar(type));
    return values;
  }

  async #array(types: readonly number[], isData: boolean): Promise<DmValue> {
    const count = types.at(-1) ?? 0;
    const kind = types[0]!;
    const itemSize = kind === STRUCT
      ? structFields(types.slice(0, -1)).reduce((sum, type) => sum + this.#sizeOf(type), 0)
      : this.#sizeOf(kind);
    const array = { at: this.#at, count, itemSize };
    const end = this.#at + count * itemSize;
    if (!(end <= this.source.size)) {
      const text = `an array of ${count} × ${itemSize} bytes at byte ${this.#at} ` +
        `ends behind its ${this.source.size} bytes`;
      throw cannot("read", this.source.name, "truncated", text, {
        offset: this.#at,
        expected: end,
        found: this.source.size,
      });
    }
    if (kind === 4 && count <= MOST_READ && !isData) return await this.#text(count); // texts are arrays of UTF-16
    this.#at = end;
    return array;
  }

  async #text(length: number): Promise<string> {
    if (length > PAGE_BYTES) throw this.#error(`a text has ${length} letters`);
    const view = await this.#take(2 * length);
    const little = this.head.byteOrder === "little";
    let text = "";
    for (let i = 0; i < length; i++) text += String.fromCharCode(view.getUint16(2 * i, little));
    return text.replace(/\0.*$/s, "");
  }

  async #scalar(type: number): Promise<DmValue> {
    const dtype = this.#typeOf(type);
    const value = READ_NUMBER[dtype](
      await this.#take(dtypeInfo(dtype).itemSize),
      0,
      this.head.byteOrder === "little",
    );
    return dtype === "bool" ? value !== 0 : value;
  }

  #typeOf(type: number): keyof typeof READ_NUMBER {
    const dtype = TYPES[type];
    if (dtype !== undefined) return dtype;
    throw this.#error(`a value has type ${type}, which is unknown`);
  }

  #sizeOf(type: number): number {
    return dtypeInfo(this.#typeOf(type)).itemSize;
  }

  /** A count: 32 bits in DM3, 64 in DM4. */
  async #count(): Promise<number> {
    if (this.head.version === 3) return (await this.#take(4)).getUint32(0);
    const value = Number((await this.#take(8)).getBigUint64(0));
    if (Number.isSafeInteger(value)) return value;
    throw this.#error("a count is larger than 2^53");
  }

  /** The next bytes; pages are read at a time. */
  async #take(length: number): Promise<DataView> {
    if (this.#at + length > this.source.size) {
      const text = `it ends at byte ${this.source.size}, inside its tags`;
      throw cannot("read", this.source.name, "truncated", text, {
        offset: this.#at,
        expected: this.#at + length,
        found: this.source.size,
      });
    }
    if (this.#at < this.#pageAt || this.#at + length > this.#pageAt + this.#page.length) {
      this.#pageAt = this.#at;
      const most = Math.max(length, PAGE_BYTES);
      this.#page = await readBytes(
        this.source,
        this.#at,
        Math.min(most, this.source.size - this.#at),
        this.signal,
      );
    }
    const view = new DataView(this.#page.buffer, this.#page.byteOffset + this.#at - this.#pageAt, length);
    this.#at += length;
    return view;
  }

  #error(problem: string): TilewiseError {
    const text = `at byte ${this.#at}, ${problem}`;
    return cannot("read", this.source.name, "malformed", text, { offset: this.#at });
  }
}

/** Types of the fields of a struct: its name's length, their number, then a length and a type each. */
function structFields(types: readonly number[]): number[] {
  const count = types[2] ?? 0;
  return Array.from({ length: Math.min(count, 256) }, (_, i) => types[4 + 2 * i] ?? 0);
}
