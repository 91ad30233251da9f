/**
 * Opens views that are loaded from tiles: plans them, takes their memory, and starts to load.
 *
 * @module
 */

import { abortedError, TilewiseError } from "../../errors.ts";
import { instantiateKernels, loadPacks } from "../../kernels/wasm.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { truth } from "../../options/rules.ts";
import { admissionOf, insideOf, type RunContext } from "../../runner/context.ts";
import { checkRunOptions } from "../../runner/rules.ts";
import { RUN_SETTINGS, Runner } from "../../runner/runner.ts";
import type { DType } from "../../space/dtype.ts";
import type { ViewReaderOptions } from "../view.ts";
import { loadHere, loadOnWorkers, packsOfSpec } from "./crew.ts";
import type { ViewsInput } from "./loaders/origin.ts";
import { placed } from "./memory.ts";
import {
  LOADING_OPTIONS,
  type LoadingFacts,
  type LoadingOptions,
  loadingPlan,
  type ViewsAs,
} from "./plan.ts";
import { Session, type SessionOptions } from "./session.ts";
import { Views } from "./views.ts";

/**
 * Options of {@link openViews}.
 * @category Views
 */
export interface OpenViewsOptions extends LoadingOptions, ViewReaderOptions {
  /**
   * Whether the iterator waits when the caller holds all views that fit, because other code returns them meanwhile. If
   * not, that is an error. Waiting ends after `stallTimeout`. Default: true if views have several users.
   */
  readonly waitForReturns?: boolean;
}

type Waiting = ViewReaderOptions;

/**
 * Planned views that are loaded from tiles.
 * @category Views
 */
export interface LoadingPlan<D extends DType = DType> extends LoadingFacts<D> {
  /** Opens them, as {@link openViews} does. */
  run(options?: ViewReaderOptions & Pick<OpenViewsOptions, "waitForReturns">): Promise<Views<D>>;
}

const { signal, wait, stallTimeout } = RUN_SETTINGS;
// deno-fmt-ignore: written by `deno task build`
const OPEN_OPTIONS: OptionNames<Waiting & Pick<OpenViewsOptions, "waitForReturns">> = {
  signal, stallTimeout, wait, waitForReturns: truth,
};
const ALL_OPTIONS: OptionNames<OpenViewsOptions & ViewsAs> = { ...LOADING_OPTIONS, ...OPEN_OPTIONS };

/**
 * Plans views that are loaded from tiles, as {@link openViews} does. Its `memory` is exact: it is reserved when the views
 * are opened, and nothing else is used. `over-budget`, with the sum, if it does not fit the context.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { planLoading } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint16Array(64 * 96), shape: [64, 96] });
 * await using context = createContext({ memory: "1MiB", workers: 0 });
 * const { memory } = await planLoading(image, { tile: [32, 32], radius: 2, ahead: 1, context });
 * assertEquals([memory.views, memory.view, memory.total], [2, 2624, 17536]);
 * ```
 * @category Views
 */
export async function planLoading<D extends DType = DType, const V extends DType = D>(
  input: ViewsInput<D>,
  options: LoadingOptions & ViewsAs<V> = {},
): Promise<LoadingPlan<V>> {
  checkOptionNames("planLoading()", options, LOADING_OPTIONS);
  return { ...await loadingPlan("planLoading()", input, options) as LoadingFacts<V>, run: openThis };
}

/** Opens the views of the plan, or of a copy of it with other facts, whose method it is. */
function openThis<D extends DType>(this: LoadingPlan<D>, options: OpenViewsOptions = {}): Promise<Views<D>> {
  return openViews(this, options);
}

/**
 * Opens views of a data set, of some levels of a pyramid, or of a tile loader of your own. The memory of the plan is
 * taken from the context at once, and waited for if runs hold it; nothing else is used.
 *
 * @param input a data set, levels of a pyramid, or a tile loader
 * @param options the views, how many are kept, and the context
 * @returns the views: ask for tiles, or iterate
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { openViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] });
 * await using context = createContext({ memory: "1MiB", workers: 0 });
 * await using views = await openViews(image, { tile: [1, 2], radius: 1, border: "edge", context });
 * views.requestAll();
 * let count = 0;
 * for await (using view of views) count += view.data.length;
 * assertEquals(count, 4 * 12);
 * ```
 * @category Views
 */
export async function openViews<D extends DType = DType, const V extends DType = D>(
  input: ViewsInput<D> | LoadingPlan<D>,
  options: OpenViewsOptions & ViewsAs<V> = {},
): Promise<Views<V>> {
  const { plan, settings } = await planOf(input, options);
  const inside = insideOf(plan.context);
  const runner = new Runner<never>(inside, settings, () => undefined as never);
  const parts = runner.parts(() =>
    sessionOf(plan, runner, {
      waitForReturns: options.waitForReturns ?? plan.users > 1,
      stallTimeout: settings.stallTimeout ?? inside.stallTimeout,
      roomAgain: () => admissionOf(inside).proceed(),
    })
  );
  const { value } = await parts.next();
  return new Views(value!, runner, parts);
}

async function planOf(
  input: ViewsInput | LoadingFacts,
  options: OpenViewsOptions & ViewsAs,
): Promise<{ readonly plan: LoadingFacts; readonly settings: Waiting }> {
  if (isPlan(input)) {
    checkRunOptions<Waiting>("openViews()", input, options, OPEN_OPTIONS);
    return { plan: input, settings: waitingOf(options) };
  }
  checkOptionNames("openViews()", options, ALL_OPTIONS);
  return { plan: await loadingPlan("openViews()", input, options), settings: waitingOf(options) };
}

function waitingOf({ signal, wait, stallTimeout }: OpenViewsOptions): Waiting {
  return defined({ signal, wait, stallTimeout });
}

function isPlan(input: ViewsInput | LoadingFacts): input is LoadingFacts {
  const { origin, memory } = (input ?? {}) as Partial<LoadingFacts>;
  return origin !== undefined && memory !== undefined;
}

/** To the runner, open views are a run that waits for requests. */
async function* sessionOf(
  plan: LoadingFacts,
  runner: Runner<never>,
  options: SessionOptions,
): AsyncGenerator<Session, void> {
  runner.mustGoOn();
  const { memory, origin } = plan;
  await loadPacks(packsOfSpec(origin.spec));
  const placement = await runner.enter((leases) => placed(leases, memory), origin.sources);
  const kernels = instantiateKernels(placement.memory);
  const session = await Session.open(plan, placement, kernels, options);
  const loading = origin.spec.kind === "here"
    ? loadHere(plan, kernels, session.supply, runner.signal)
    : loadOnWorkers(plan, runner, placement, executorOf(plan), session.supply);
  const ended = loading.then(() => session.close(over()), (error) => session.close(error));
  if (origin.spec.kind === "here") runner.holds(ended.then(() => true));
  try {
    yield* runner.handOver(session);
  } finally {
    const closed = session.close(runner.signal.aborted ? abortedError(runner.signal) : over());
    runner.holds(closed.then(() => true));
    await closed;
  }
}

function executorOf({ context, memory, origin }: LoadingFacts): ReturnType<RunContext["executorOf"]> {
  return insideOf(context).executorOf(memory.workers, origin.spec.kind === "module");
}

function over(): TilewiseError {
  return new TilewiseError("aborted", "The views have been closed");
}
