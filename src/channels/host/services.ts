/**
 * Services: what fills the table of functions of a runner. A service is an export of a module, so that it can be loaded where
 * the runner is, like a job.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { loadExport } from "../../executor/handler.ts";
import type { Job } from "../../executor/task.ts";
import type { Answer, Awaitable, Functions } from "../protocol/runner.ts";
import type { ChannelLayout } from "../protocol/channel.ts";

/**
 * Where a service is found: plain data for the threads of runners.
 * @category Channels
 */
export type ServiceSource = Pick<Job<unknown>, "name" | "module" | "export" | "shared">;

/** Where a service serves. */
export interface ServicePlace {
  /** The memory of the channels. */
  readonly memory: WebAssembly.Memory;
  /** The channels. */
  readonly layout: ChannelLayout;
  /** The number of the runner, from 0. */
  readonly runner: number;
}

/** Functions on one runner. */
export interface Service {
  /** They by their numbers. */
  readonly functions: Functions;
  /** Called once when the runner stops. */
  close?(): Awaitable<void>;
}

/** What the export of a service is. It is called once per runner. */
type ServiceFactory<S> = (shared: S, place: ServicePlace) => Awaitable<Service>;

/** The functions of all services on one runner. Errors: `udf` for a module that cannot be loaded, `invalid` for a number of two functions. */
export async function loadServices(
  sources: readonly ServiceSource[],
  place: ServicePlace,
): Promise<Required<Service>> {
  const functions = new Map<number, Answer>();
  const loaded: Service[] = [];
  const close = async () => {
    for (const service of loaded.splice(0)) await service.close?.();
  };
  try {
    for (const source of sources) {
      const factory = await loadExport<ServiceFactory<unknown>>(source);
      const service = await factory(source.shared, place);
      loaded.push(service);
      add(functions, service.functions);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { functions, close };
}

function add(all: Map<number, Answer>, more: Functions): void {
  for (const [number, answer] of more) {
    if (all.has(number)) {
      const text = `Cannot serve two functions with number ${number}`;
      throw new TilewiseError("invalid", text, { found: String(number) });
    }
    all.set(number, answer);
  }
}
