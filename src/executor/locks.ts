/**
 * Web Locks, where the platform has them; not every set of type declarations knows them.
 *
 * @module
 */

/** The part of the lock manager that executors use. */
export interface Locks {
  /** Calls `held` when the lock has been granted, and holds the lock until the result of `held` has settled. */
  request(name: string, options: { readonly signal?: AbortSignal }, held: () => unknown): Promise<unknown>;
}

/** The lock manager of this thread, if there is one. */
export function platformLocks(): Locks | undefined {
  if (typeof navigator === "undefined") return undefined;
  return (navigator as { readonly locks?: Locks }).locks;
}
