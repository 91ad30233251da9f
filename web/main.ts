/**
 * Starts the page: its address becomes the state, and the state its address. The library is loaded while nobody waits for it.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { Sources } from "./open/sources.ts";
import { Page } from "./panels/page.ts";
import { showTheme } from "./panels/theme.ts";
import { Workbench } from "./panels/workbench.ts";
import { enter, servedInput } from "./served/served.ts";
import { fromAddress, toAddress } from "./state/address.ts";
import { START } from "./state/state.ts";
import { Store } from "./state/store.ts";

/** The address is not written more often than that, in milliseconds: browsers refuse more. */
const PAUSE = 300;

showTheme();
const refused = await enter().then(() => undefined, (error: unknown) => error);
const { state, problems } = fromAddress(location.hash);
const store = new Store(state);
const bench = new Workbench(store);
const page = document.querySelector("tw-page");
if (page instanceof Page) {
  page.begin({ bench, sources: new Sources(servedInput), trusted: new Set() });
  if (refused) bench.fail(refused);
  else if (problems.length > 0) bench.say(problems.join(" "));
}

loadAhead();

let waiting: ReturnType<typeof setTimeout> | undefined, written = -Infinity;
store.listen(() => {
  waiting ??= setTimeout(write, Math.max(0, written + PAUSE - performance.now()));
});

function write(): void {
  [waiting, written] = [undefined, performance.now()];
  const address = store.state === START ? "" : `#${toAddress(store.state)}`;
  if (address !== location.hash) {
    history.replaceState(history.state, "", address || location.pathname + location.search);
  }
}

addEventListener("hashchange", () => {
  const { state, problems } = fromAddress(location.hash);
  if (toAddress(state) === toAddress(store.state)) return;
  store.replace(state, "address");
  if (problems.length > 0) bench.say(problems.join(" "));
});

/** The library is loaded while nobody waits for it, unless the user wants to save data. */
function loadAhead(): void {
  const { connection } = navigator as Navigator & { readonly connection?: { readonly saveData: boolean } };
  if (connection?.saveData) return;
  const load = () => void import("./panels/library.ts").catch(() => {}); // who needs it says why it fails
  if ("requestIdleCallback" in globalThis) requestIdleCallback(load, { timeout: 2000 });
  else setTimeout(load, 500);
}
