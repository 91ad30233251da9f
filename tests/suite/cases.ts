/** Which cases a test draws, and how many: few in `deno task test`, all of them in `deno task test:long`. */

/** Whether this is `deno task test:long`. */
export const ALL_CASES: boolean = Deno.env.get("TILEWISE_CASES") === "all";

/** The number of cases: `gate` of them in `deno task test`, `all` in `deno task test:long`. */
export function cases(gate: number, all: number): number {
  return ALL_CASES ? all : gate;
}

/** A share of `items`: one of `of` in `deno task test`, other ones for each `at`; all of them in `deno task test:long`. */
export function share<T>(items: readonly T[], of: number, at = 0): readonly T[] {
  return ALL_CASES ? items : items.filter((_, i) => (i + at) % of === 0);
}

/** The seed of all that is drawn without one of its own: the same in every run. `TILEWISE_SEED` draws others. */
export const SEED: number = Number(Deno.env.get("TILEWISE_SEED") ?? 1);
