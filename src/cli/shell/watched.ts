/**
 * Constants and types shared by the thread of the command line and the thread that watches it; the latter loads only this and
 * the board.
 *
 * @module
 */

/** Exit codes of the signals that end a command: 128 and their number. */
export const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** A signal that asks a process to end. */
export type EndSignal = keyof typeof EXIT_CODES;

/** All of them; a system may not have all of these. */
export const END_SIGNALS = Object.keys(EXIT_CODES) as readonly EndSignal[];

/** The data for the watching thread. */
export interface Watched {
  /** Where the watched thread writes what it is doing. */
  readonly board: ArrayBufferLike;
  /** See {@link STALL}. */
  readonly cells: SharedArrayBuffer;
  /** Whether stderr is a terminal, whose line may hold a progress bar. */
  readonly isTerminal: boolean;
}

/** The cell with the milliseconds after which code that has not returned counts as hung; 0: never. */
export const STALL = 0;
