/**
 * Where channels lie in memory: counts, sizes, addresses.
 *
 * First come the bells, a cache line per runner: a word that is 1 while that runner sleeps, and doubles of statistics. Then one block per channel: a header of 128 bytes,
 * the name (1 KiB), and a buffer that the kernel may use as it likes.
 *
 * | bytes | header of a block |
 * |---|---|
 * | 0 | the word of the channel, see `word.ts` |
 * | 4 | the function; bit 31: any runner may answer |
 * | 8 | the status of the answer |
 * | 12 | length of the name, or of the message of a failure |
 * | 16 | the answer |
 * | 24–87 | eight arguments |
 * | 88, 96, 104, 112 | statistics: calls, bytes, milliseconds of measured sleeps of callers, how many these are |
 *
 * @module
 */

import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { needed, truth, whole } from "../../options/rules.ts";
import { checkedProduct } from "../../space/shape.ts";

// The one word that is lock and state of a channel, and all its transitions, as functions of the word alone.
//
// ```text
//   unused ─claim▶ claimed ─submit▶ ready ─take▶ running ─finish▶ done
//      ▲              ▲                │             │               │
//      │              └────────────────┼─────────────┼── submit ─────┤
//      ├◀──────── release ◀────────────┼─────────────┼───────────────┘
//      └◀── reclaim: the owner has ended ◀───────────┴▶ orphaned ─finish▶ unused
// ```
//
// | bits | what |
// |---|---|
// | 0–2 | the state |
// | 3 | whether a thread may sleep until the word changes |
// | 4–11 | the place of the owner in the gate, from 1 |
// | 12–16 | the runner that answers, from 1 |
// | 17–31 | the generation: how often the channel has been claimed |
//
// As the owner is a part of the word, there is no moment at which a channel is locked by nobody knows whom: the thread may
// end between any two steps. Every transition is made by a compare-exchange of the whole word.

/** States of a channel, in the order of a call. */
export const STATE = { unused: 0, claimed: 1, ready: 2, running: 3, done: 4, orphaned: 5 } as const;

/** Most threads that call one host. */
export const MAX_OWNERS = 255;

/** Most runners of one host. */
export const MAX_RUNNERS = 31;

const STATE_BITS = 7, SLEEPER = 8, OWNER = 4, RUNNER = 12, GENERATION = 17;

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

/** Most channels of a host and most open files of a table, as a handle has a fixed number of bits for them. */
export const MAX_SLOTS = 1024;

/** Most bytes of a file name in UTF-8, and of the message of a failure. */
export const MAX_NAME_BYTES = 1024;

/** Most arguments of a call. */
export const MAX_ARGUMENTS = 8;

/**
 * Counts of a set of channels; fixed when the host starts.
 * @category Channels
 */
export interface ChannelOptions {
  /** How many channels: calls that can be under way at the same time. One per worker is the rule. Whole, 1 to 1024. */
  readonly channels: number;
  /** Elements in the buffer of each channel. Whole, at least 1. */
  readonly bufferLength: number;
  /** Bytes of the element that counts and offsets are given in. Whole, at least 1. */
  readonly elementSize: number;
  /** How many threads answer calls; 0: the thread that starts the host. Whole, 0 to 31. Default 1. */
  readonly runners?: number;
}

/** Their names. */
// deno-fmt-ignore: written by `deno task build`
const CHANNEL_OPTIONS: OptionNames<ChannelOptions> = {
  channels: needed(whole(1, 1024)), bufferLength: needed(whole(1)), elementSize: needed(whole(1)),
  runners: whole(0, 31),
};

// deno-fmt-ignore: written by `deno task build`
const LAYOUT_NAMES: OptionNames<Partial<ChannelLayout> & ChannelOptions> = {
  ...CHANNEL_OPTIONS, offset: whole(0), gate: true, files: true, oneHome: truth,
};

/**
 * Channels at an address: data that a job carries to its workers.
 * @category Channels
 */
export interface ChannelLayout extends ChannelOptions {
  /** Address of the first byte. Whole, at least 0. */
  readonly offset: number;
  /** What outlives them: see `gate.ts`. */
  readonly gate: SharedArrayBuffer;
  /** Where the files of the host are: see `FilePlace` of `host/files.ts`. Default: those of the operating system. */
  readonly files?: object;
  /** Whether one runner answers all calls that not any runner may answer. Default: each has its own channels. */
  readonly oneHome?: boolean;
}

/** Bytes of the header of a block. */
export const HEADER_BYTES = 128;

/** Bytes of the bells. */
export function bellBytes({ runners = 1 }: ChannelOptions): number {
  return ALIGNMENT * Math.max(1, runners);
}

/** Bytes of one channel. */
export function blockBytes({ bufferLength, elementSize }: ChannelOptions): number {
  return HEADER_BYTES + MAX_NAME_BYTES + roundUp(bufferLength * elementSize, ALIGNMENT);
}

/** Bytes of memory that channels take. */
export function channelBytes(options: ChannelOptions): number {
  checkOptionNames<Partial<ChannelLayout>>("channelBytes()", options, LAYOUT_NAMES); // a layout will do
  checkedProduct([options.bufferLength, options.elementSize], "the buffer of a channel", 2 ** 32);
  return bellBytes(options) + options.channels * blockBytes(options);
}
