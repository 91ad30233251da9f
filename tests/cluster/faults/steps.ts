/** The steps at which a worker may be killed, in the order in which they come. */
export const STEPS = [
  "claimed",
  "created",
  "half written",
  "written",
  "synced",
  "linked",
  "cleaned",
  "committed",
  "finished",
] as const;

/** One of them. */
export type Step = typeof STEPS[number];
