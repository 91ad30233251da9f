/**
 * The account of the memory of a run: what it holds, how many of each, and where.
 *
 * A plan states its holdings. The sum, the check against the budget, the words and the error are the same for all plans.
 *
 * @module
 */

import { type ErrorDetails, TilewiseError } from "../errors.ts";
import { formatBytes } from "../space/size.ts";

/**
 * Something that a run holds.
 * @category Runs
 */
export interface Holding {
  /** What it is, in words. */
  readonly what: string;
  /** Bytes of one. */
  readonly each: number;
  /** How many are held at the same time. */
  readonly count: number;
  /** Whether it lies outside of the memory that workers share. */
  readonly onHeap?: boolean;
}

/**
 * The memory of a run, in bytes, before it starts.
 * @category Runs
 */
export interface MemoryAccount {
  /** All that is held. */
  readonly holdings: readonly Holding[];
  /** The sum of all holdings. */
  readonly total: number;
  /** The part of the sum that is leased from the arena of the context; the rest lies on the heap. */
  readonly leased: number;
}

/** How much runs may hold: in all, and in the arena. */
export interface Limits {
  /** Bytes in all. */
  readonly memory: number;
  /** Bytes of the arena. */
  readonly arenaBudget: number;
}

/** The account of `holdings`; those of no bytes are left out. */
export function account(holdings: readonly Holding[]): MemoryAccount {
  const held = holdings.filter(({ each, count }) => each * count > 0);
  const sum = (all: readonly Holding[]) => all.reduce((sum, { each, count }) => sum + each * count, 0);
  return { holdings: held, total: sum(held), leased: sum(held.filter(({ onHeap }) => !onHeap)) };
}

/** The account of a run that holds `more`. */
export function accountWith({ holdings }: MemoryAccount, ...more: readonly Holding[]): MemoryAccount {
  return account([...holdings, ...more]);
}

/** Whether a run with this account may start. */
export function fits({ total, leased }: MemoryAccount, { memory, arenaBudget }: Limits): boolean {
  return total <= memory && leased <= arenaBudget;
}

/** The account in words: the sum, what is held, and the budget. */
export function showAccount(memory: MemoryAccount, limits: Limits): string {
  return `${sumInWords(memory)}, of a budget of ${formatBytes(limitOf(memory, limits))}`;
}

/** The error of a run that does not fit: `problem`, the sum in words, and what to use `instead` of what was asked for. */
export function overBudget(
  problem: string,
  memory: MemoryAccount,
  limits: Limits,
  instead = "",
  details: ErrorDetails = {},
): TilewiseError {
  const found = limitOf(memory, limits);
  const text =
    `${problem} in ${formatBytes(found)}: it needs ${sumInWords(memory)}; use ${instead}a context ` +
    "with more memory";
  return new TilewiseError("over-budget", text, {
    option: "memory",
    expected: memory.total,
    found,
    ...details,
  });
}

function limitOf({ total, leased }: MemoryAccount, { memory, arenaBudget }: Limits): number {
  return leased < total ? memory : arenaBudget;
}

function sumInWords({ holdings, total }: MemoryAccount): string {
  const parts = holdings.map(({ what, each, count }, i) =>
    `${i ? "+" : "="} ${count === 1 ? "" : `${count} × `}${formatBytes(each)} for ${what}`
  );
  return [formatBytes(total), ...parts].join(" ");
}
