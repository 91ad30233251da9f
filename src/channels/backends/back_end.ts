/**
 * The seam of back ends: positional file I/O without state, which one file per platform provides.
 *
 * @module
 */

/** The mode of a file as `fopen` and `node:fs` write it. */
export type OpenFlags = "r" | "w" | "a" | "r+" | "w+" | "a+";

/** Positional file I/O without state; every function throws the error of its platform. */
export interface BackEnd {
  /** Opens a file; the result names it in the other calls. */
  open(name: string, flags: OpenFlags): number;
  /** Closes a file. */
  close(file: number): void;
  /** Bytes of a file. */
  size(file: number): number;
  /** Fills `bytes[at … at + length)` from byte `position` on; the bytes read are fewer at the end of the file. */
  read(file: number, bytes: Uint8Array, at: number, length: number, position: number): number;
  /** Writes `bytes[at … at + length)` at byte `position`, or at the end where it is `null`. */
  write(file: number, bytes: Uint8Array, at: number, length: number, position: number | null): number;
}
