/**
 * Firefox, which nobody drives: it opens an address, and the page tells the server what it has found.
 *
 * The driver for Chromium speaks a protocol that Firefox as published does not have, and of the common one (WebDriver BiDi)
 * Firefox ESR lacks commands that the driver needs. What tests ask of Firefox is to open, plan and run: for that an address is
 * enough.
 *
 * @module
 */

import { FIREFOX, programPath } from "./paths.ts";
import { found, servers } from "./server.ts";

/** Whether there is a Firefox. */
export const HAS_FIREFOX: boolean = programPath(FIREFOX) !== undefined;

/** Nothing is asked for but what pages ask for. */
const PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.cache.disk.enable": false,
  "browser.safebrowsing.downloads.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.startup.page": 0,
  "datareporting.policy.dataSubmissionEnabled": false,
  "datareporting.policy.dataSubmissionPolicyBypassNotification": true,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "network.dns.disablePrefetch": true,
  "network.prefetch-next": false,
  "security.sandbox.content.level": 0,
  "services.settings.server": "http://127.0.0.1:9/",
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

/** Milliseconds for everything that a page does. */
const LIMIT = 900_000;

/** What a page asks of Firefox. */
export interface Visit {
  /** A function of `programs/main.ts`. */
  readonly work: string;
  /** Its arguments. */
  readonly args: readonly unknown[];
  /** Whether the page is served with the headers that shared memory needs. */
  readonly isolated: boolean;
}

/** Opens a page in a Firefox of its own; what its function has found. */
export async function visitFirefox({ work, args, isolated }: Visit): Promise<unknown> {
  const all = await servers();
  const name = crypto.randomUUID();
  const query = new URLSearchParams({ work, args: JSON.stringify(args), found: name });
  const answer = found(name) as Promise<{ result?: unknown; error?: string }>;
  await using browser = await openFirefox(`${isolated ? all.isolated : all.plain}/lib/?${query}`);
  const timer = Promise.withResolvers<never>();
  const alarm = setTimeout(() => timer.reject(new Error("The page in Firefox says nothing")), LIMIT);
  try {
    const { result, error } = await Promise.race([answer, timer.promise, browser.failed]);
    if (error !== undefined) throw new Error(`The page in Firefox failed: ${error}`);
    return result;
  } finally {
    clearTimeout(alarm);
  }
}

/** A running Firefox. */
interface Firefox extends AsyncDisposable {
  /** Rejects if it ends by itself. */
  readonly failed: Promise<never>;
}

/** Waits for the end of its input, which comes with the end of this process at the latest, and ends Firefox. */
const KEEPER = 'exec 3<&0; "$@" & pid=$!; { cat <&3 > /dev/null; kill -9 $pid 2> /dev/null; } & wait $pid';

async function openFirefox(url: string): Promise<Firefox> {
  const profile = await Deno.makeTempDir({ prefix: "tilewise-firefox-" });
  await Deno.writeTextFile(`${profile}/user.js`, preferences());
  const args = ["--headless", "--no-remote", "--profile", profile, url];
  const process = new Deno.Command("sh", {
    args: ["-c", KEEPER, "sh", programPath(FIREFOX)!, ...args],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
    env: { HOME: profile, MOZ_CRASHREPORTER_DISABLE: "1", MOZ_HEADLESS: "1" },
  }).spawn();
  const failed = process.status.then(({ code }) =>
    Promise.reject(new Error(`Firefox has ended, code ${code}`))
  );
  failed.catch(() => {});
  return {
    failed,
    async [Symbol.asyncDispose]() {
      await process.stdin.close();
      await process.status;
      await removeWhenFree(profile);
    },
  };
}

function preferences(): string {
  return Object.entries(PREFERENCES)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join("");
}

/** Processes of a browser live on for a moment, and write to its profile. */
async function removeWhenFree(folder: string): Promise<void> {
  for (let attempts = 50; attempts > 0; attempts--) {
    if (await Deno.remove(folder, { recursive: true }).then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
