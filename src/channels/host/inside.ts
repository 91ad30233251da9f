/**
 * The parts of a host that other rooms need and users do not see.
 *
 * @module
 */

import type { Context } from "../../runner/face.ts";
import type { Leases } from "../../runner/leases.ts";

/** What a launch needs of a host. */
export interface HostInside {
  /** The context in which it was started. */
  readonly context: Context;
  /** Its memory. */
  readonly leases: Leases;
  /** Fires when it is aborted. */
  readonly signal: AbortSignal;
  /** Resolves when no runner is at work for a thread that has ended; `false`: a runner could not be stopped. */
  drained(): Promise<boolean>;
  /** Keeps that memory until `over` resolves; with `false` it is written off. */
  hold(over: Promise<boolean>): void;
}

const insides = new WeakMap<object, HostInside>();

/** Notes the parts of a host; the host itself is the result. */
export function withInside<H extends object>(host: H, inside: HostInside): H {
  insides.set(host, inside);
  return host;
}

/** The parts of a host; nothing if the value is no host. */
export function insideOfHost(host: unknown): HostInside | undefined {
  return typeof host === "object" && host !== null ? insides.get(host) : undefined;
}
