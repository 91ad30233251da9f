/**
 * What the page of the sandbox and the worker that runs a program send each other.
 *
 * @module
 */

/** A program to run. */
export interface Program {
  readonly code: string;
  /** The program that makes the image of cells, for programs that open it. */
  readonly cells: string;
}

/** What a running program has to tell. */
export type Told =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "done"; readonly milliseconds: number };
