/**
 * The channels of a run: the host that its UDFs can call.
 *
 * @module
 */

import type { ChannelHost } from "../../channels/host/host.ts";
import { type HostInside, insideOfHost } from "../../channels/host/inside.ts";
import type { Route } from "../../channels/host/route.ts";
import type { ChannelUse } from "../../channels/launch/access.ts";
import { TilewiseError } from "../../errors.ts";
import type { Arena } from "../../memory/arena.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";

/** The options of a run that say which host its UDFs can call. */
export interface ChannelSettings {
  /** The host. */
  readonly channels?: ChannelHost;
  /** Who answers file calls. */
  readonly route?: Route;
}

/** The host of a run. */
export class RunChannels {
  /** Most workers that can use it: each has a channel of its own. */
  readonly most: number;
  /** For workers. */
  readonly use: ChannelUse;

  private constructor(
    /** The parts of the host. */
    readonly inside: HostInside,
    route: Route,
  ) {
    this.most = inside.layout.channels;
    this.use = { layout: inside.layout, route };
  }

  /** The host of a run of `plan`, if it was given one. Errors: `invalid` if the run could not use it. */
  static of({ context }: UdfPlan, { channels, route = "rpc" }: ChannelSettings): RunChannels | undefined {
    const inside = insideOfHost(channels);
    if (!channels || !inside) return undefined;
    if (inside.context !== context) {
      throw refused("it was started in another context; start it in the context that the plan was made for");
    }
    if (context.ownMemory) throw refused("the workers of the context have their own memory; use threads");
    const { channels: most } = inside.layout;
    if (context.leastWorkers > most) {
      const found = `the executor of the context has ${context.leastWorkers} workers`;
      throw refused(`${found}, and it has ${most} channels; start it with channels: ${context.leastWorkers}`);
    }
    return new RunChannels(inside, route);
  }

  /** Keeps the memory of the host until the run has ended. Errors: `lease` if the run is not in that memory. */
  hold(arena: Arena, over: Promise<boolean>): void {
    if (arena !== this.inside.leases.arena) {
      const text =
        "Cannot run: the memory of the host was written off, as a thread could not be stopped; start it again";
      throw new TilewiseError("lease", text);
    }
    this.inside.hold(over);
  }
}

function refused(why: string): TilewiseError {
  return new TilewiseError("invalid", `Cannot run UDFs with this host: ${why}`, {
    option: "channels",
    found: why,
  });
}
