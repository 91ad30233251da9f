/**
 * Scans of JPEG images: what the kernels that read their bits are told, and where their coefficients go.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import { JPEG_CODE_BYTES } from "../../../kernels/families/filters.ts";
import { STOP_WORDS } from "../../../kernels/families/jpeg_stops.ts";
import type { FilterStep } from "../common/filter.ts";
import { type Component, type Frame, type HuffmanCode, type Scan, type Tables, wrong } from "./markers.ts";
import { jpegScratch, MOST_BLOCKS, PLACES, UNITS } from "./sizes.ts";

/** Places among the numbers of the work. */
const STATE = PLACES.state / 4, PLAN = PLACES.plan / 4;

/** A scan that is being read: its bits, its tables, and how far it is. */
export class BitScan {
  /** Interval of restarts. */
  readonly interval: number;
  readonly #codes: readonly (readonly [dc: number, ac: number])[];

  /** Prepares its codes. */
  constructor(
    readonly work: JpegWorkspace,
    readonly bytes: Uint8Array,
    readonly scan: Scan,
    tables: Tables,
    needs: { readonly dc: boolean; readonly ac: boolean },
  ) {
    this.interval = tables.interval;
    work.ints.fill(0, STATE, STATE + 8);
    work.ints[STATE] = scan.at;
    work.ints[STATE + 2] = this.interval;
    const made = new Map<HuffmanCode, number>();
    const code = (of: readonly (HuffmanCode | undefined)[], which: number): number => {
      const found = of[which];
      if (!found) throw wrong(`the Huffman table ${which} is missing`, scan.at);
      const at = made.get(found) ?? work.code(made.size, found);
      made.set(found, at);
      return at;
    };
    this.#codes = scan.parts.map(({ dc, ac }) =>
      [needs.dc ? code(tables.dc, dc) : 0, needs.ac ? code(tables.ac, ac) : 0] as const
    );
  }

  /** Where the codes of a part are. */
  codes(part: number): readonly [dc: number, ac: number] {
    return this.#codes[part]!;
  }

  /** Where its bits end, as far as they were read. */
  get end(): number {
    return this.work.ints[STATE]!;
  }

  /** Throws if a kernel stopped. */
  check(): void {
    const { ints } = this.work;
    if (ints[0]! < 0) throw wrong(STOP_WORDS[ints[0]!]!, ints[1]!);
  }
}

/** A part of a scan whose units are read. */
interface ScanComponent {
  readonly index: number;
  readonly component: Component;
  /** Blocks of a unit. */
  readonly across: number;
  readonly down: number;
}

/** Blocks of a part that lie side by side, after a call: their address, and where they belong in their component. */
export type TakeBlocks = (
  component: number,
  row: number,
  column: number,
  count: number,
  address: number,
) => void;

/** The units of a scan, row by row. */
export class Units {
  /** Rows of units. */
  readonly rows: number;
  readonly #columns: number;
  readonly #parts: readonly ScanComponent[];
  /** Units of the plan that is there. */
  #planned = 0;

  /** Of a scan of blocks. */
  constructor(private readonly bits: BitScan, frame: Frame) {
    const { parts } = bits.scan;
    const one = parts.length === 1 ? frame.components[parts[0]!.component]! : undefined;
    // a scan of one component has its blocks alone, without those that only fill up units
    this.#columns = one ? Math.ceil(one.width / 8) : Math.ceil(frame.width / (8 * frame.across));
    this.rows = one ? Math.ceil(one.height / 8) : Math.ceil(frame.height / (8 * frame.down));
    this.#parts = parts.map(({ component: index }) => {
      const component = frame.components[index]!;
      return one
        ? { index, component, across: 1, down: 1 }
        : { index, component, across: component.across, down: component.down };
    });
    const blocks = this.#parts.reduce((sum, { across, down }) => sum + across * down, 0);
    if (blocks > MOST_BLOCKS) throw wrong(`a unit has ${blocks} blocks`, bits.scan.at);
  }

  /** Reads row `row`; `give` puts what is known of coefficients in their place before a call. */
  read(row: number, take: TakeBlocks, give?: TakeBlocks): void {
    for (let first = 0; first < this.#columns; first += UNITS) {
      const units = Math.min(UNITS, this.#columns - first);
      if (units !== this.#planned) this.#plan(units);
      if (give) this.#each(row, first, units, give);
      this.#call(units);
      this.#each(row, first, units, take);
    }
  }

  #plan(units: number): void {
    const { bits } = this;
    let block = 0;
    this.#parts.forEach(({ across, down }, p) => {
      bits.work.ints.set([block, units * across, across, down, ...bits.codes(p)], PLAN + 6 * p);
      block += units * across * down;
    });
    this.#planned = units;
  }

  #each(row: number, first: number, units: number, take: TakeBlocks): void {
    let address = this.bits.work.blocks;
    for (const { index, across, down } of this.#parts) {
      for (let i = 0; i < down; i++, address += 128 * units * across) {
        take(index, row * down + i, first * across, units * across, address);
      }
    }
  }

  #call(units: number): void {
    const { bits: { work, bytes, interval, scan } } = this, { kernels } = work;
    const args = [work.status, work.state, work.blocks, bytes.byteOffset, bytes.length, work.codes] as const;
    const plan = [work.plan, this.#parts.length, units, interval] as const;
    const { first, last, high, low } = scan;
    if (scan.isProgressive) kernels.jpeg_pass_u8(...args, ...plan, first, last, high, low, work.spare);
    else kernels.jpeg_scan_u8(...args, ...plan, work.spare);
    this.bits.check();
  }
}

// Where the kernels that undo JPEG have what they work with: tables, the coefficients of some units, rows of components.

/** The memory of one image. */
export class JpegWorkspace {
  /** The kernels. */
  readonly kernels: Kernels["exports"];
  /** Addresses. */
  readonly status: number;
  readonly state: number;
  readonly plan: number;
  readonly codes: number;
  readonly blocks: number;
  readonly spare: number;
  /** Numbers of 32 bits at the beginning: `PLACES` says which. */
  readonly ints: Int32Array;
  readonly #memory: WebAssembly.Memory;
  readonly #end: number;
  #rows: number;

  /** In the scratch memory of a filter. */
  constructor({ kernels, scratch, output, values }: FilterStep) {
    this.kernels = kernels.exports;
    this.#memory = kernels.memory;
    this.ints = new Int32Array(kernels.memory.buffer, scratch, PLACES.stored / 4);
    this.status = scratch;
    [this.state, this.plan, this.codes] = [
      scratch + PLACES.state,
      scratch + PLACES.plan,
      scratch + PLACES.codes,
    ];
    [this.blocks, this.spare] = [scratch + PLACES.blocks, scratch + PLACES.spare];
    this.#rows = scratch + PLACES.rows;
    this.#end = scratch + jpegScratch(output.length, values);
  }

  /** Memory for rows. Errors: `unsupported`, for components of unusual sizes. */
  take(bytes: number): number {
    const at = this.#rows;
    this.#rows += bytes;
    if (this.#rows <= this.#end) return at;
    const problem = `${bytes} bytes for rows of a component are more than the ${this.#end - at} there are`;
    throw new TilewiseError("unsupported", `Cannot undo the filter jpeg: ${problem}`);
  }

  /** Coefficients. */
  coefficients(at: number, length: number): Int16Array {
    return new Int16Array(this.#memory.buffer, at, length);
  }

  /** Bytes. */
  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, at, length);
  }

  /** Puts a quantization table in place `which` of four. */
  table(which: number, table: Uint16Array): number {
    const at = this.status + PLACES.tables + 128 * which;
    new Uint16Array(this.#memory.buffer, at, 64).set(table);
    return at;
  }

  /** Makes the tables of a code in place `which` of eight; how far they are from `codes`. */
  code(which: number, { stored, place }: HuffmanCode): number {
    const from = this.status + PLACES.stored, distance = which * JPEG_CODE_BYTES;
    this.bytes(from, stored.length).set(stored);
    this.kernels.jpeg_codes_u8(this.status, this.codes + distance, from, from + 16, stored.length - 16);
    if (this.ints[0]! < 0) throw wrong("a Huffman table has too many codes", place);
    return distance;
  }
}
