/**
 * The one word that is lock and state of a channel, and all its transitions, as functions of the word alone.
 *
 * ```text
 *   unused ─claim▶ claimed ─submit▶ ready ─take▶ running ─finish▶ done
 *      ▲              ▲                │             │               │
 *      │              └────────────────┼─────────────┼── submit ─────┤
 *      ├◀──────── release ◀────────────┼─────────────┼───────────────┘
 *      └◀── reclaim: the owner has ended ◀───────────┴▶ orphaned ─finish▶ unused
 * ```
 *
 * | bits | what |
 * |---|---|
 * | 0–2 | the state |
 * | 3 | whether a thread may sleep until the word changes |
 * | 4–11 | the place of the owner in the gate, from 1 |
 * | 12–16 | the runner that answers, from 1 |
 * | 17–31 | the generation: how often the channel has been claimed |
 *
 * As the owner is a part of the word, there is no moment at which a channel is locked by nobody knows whom: the thread may
 * end between any two steps. Every transition is made by a compare-exchange of the whole word.
 *
 * @module
 */

/** States of a channel, in the order of a call. */
export const STATE = { unused: 0, claimed: 1, ready: 2, running: 3, done: 4, orphaned: 5 } as const;

/** Most threads that call one host. */
export const MAX_OWNERS = 255;

/** Most runners of one host. */
export const MAX_RUNNERS = 31;

const STATE_BITS = 7, SLEEPER = 8, OWNER = 4, RUNNER = 12, GENERATION = 17;

/** Generations; after the last one follows generation 0. */
export const GENERATIONS: number = 2 ** (32 - GENERATION);

/** The state in a word: a value of {@link STATE}. */
export function stateOf(word: number): number {
  return word & STATE_BITS;
}

/** Whether the call of the owner has not been answered. */
export function isBusy(word: number): boolean {
  return stateOf(word) === STATE.ready || stateOf(word) === STATE.running;
}

/** Whether a call has not been answered; its owner may have ended. */
export function isPending(word: number): boolean {
  return isBusy(word) || stateOf(word) === STATE.orphaned;
}

/** The place of the owner; 0: nobody. */
export function ownerOf(word: number): number {
  return word >>> OWNER & MAX_OWNERS;
}

/** The runner that has taken the call; -1: none. */
export function runnerOf(word: number): number {
  return (word >>> RUNNER & MAX_RUNNERS) - 1;
}

/** How often the channel had been claimed. */
export function generationOf(word: number): number {
  return word >>> GENERATION;
}

/** Whether a thread may sleep until the word changes. */
export function hasSleeper(word: number): boolean {
  return (word & SLEEPER) !== 0;
}

/** The word for a thread that is about to sleep. */
export function withSleeper(word: number): number {
  return word | SLEEPER;
}

/** The word when all who sleep have been told to look again. */
export function withoutSleeper(word: number): number {
  return word & ~SLEEPER;
}

/** An unused channel, as `owner` claims it. */
export function claimed(word: number, owner: number): number {
  const generation = generationOf(word) + 1;
  return (generation << GENERATION) | (owner << OWNER) | (word & SLEEPER) | STATE.claimed;
}

/** A claimed channel, or one whose answer has been read, as its owner submits a call. */
export function submitted(word: number): number {
  return (word & ~(STATE_BITS | MAX_RUNNERS << RUNNER)) | STATE.ready;
}

/** A ready channel, as `runner` takes the call. */
export function taken(word: number, runner: number): number {
  return (word & ~STATE_BITS) | ((runner + 1) << RUNNER) | STATE.running;
}

/** A channel whose call has been answered. Who sleeps must be woken. */
export function finished(word: number): number {
  if (stateOf(word) === STATE.orphaned) return unused(word);
  return (word & ~(STATE_BITS | SLEEPER)) | STATE.done;
}

/** A channel that its owner lets go. Who sleeps must be woken. */
export function unused(word: number): number {
  return (generationOf(word) << GENERATION) | STATE.unused;
}

/** A channel whose owner has ended; a call that runs is left to its runner. Who sleeps must be woken. */
export function reclaimed(word: number): number {
  return stateOf(word) === STATE.running ? orphaned(word) : unused(word);
}

function orphaned(word: number): number {
  return (word & ~(STATE_BITS | SLEEPER | MAX_OWNERS << OWNER)) | STATE.orphaned;
}
