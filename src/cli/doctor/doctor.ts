/**
 * `tilewise doctor`: what this machine has and lacks, and how to get it.
 *
 * @module
 */

import { VERSION } from "../../version.ts";
import type { Arguments } from "../shell/args.ts";
import { HEADS } from "../shell/heads.ts";
import { type CliIo, oneLine, outJson } from "../shell/io.ts";
import type { Verb } from "../shell/verb.ts";
import type { Check } from "./check.ts";
import {
  coresCheck,
  kernelCheck,
  memoryCheck,
  runtimeCheck,
  sharedCheck,
  simdCheck,
  workerCheck,
} from "./machine.ts";
import { partChecks, permissionChecks } from "./parts.ts";

/** The verb. */
export const DOCTOR: Verb = {
  ...HEADS.doctor,
  least: 0,
  most: 0,
  flags: [],
  notes: [
    "✓ is there, ✗ is missing and needed: then the exit code is 1. Without what has a – some things cannot be done; the",
    "line says how to get it. Web pages share memory between threads where they are isolated from other origins, as that",
    "of tilewise view is (docs/runtimes.md).",
  ],
  examples: [
    ["tilewise doctor", "Runtime, SIMD, threads, memory, permissions, optional packages."],
    ["tilewise doctor --json", "The same for programs: one object per line."],
  ],
  run: doctor,
};

async function doctor(args: Arguments, io: CliIo): Promise<number> {
  const checks = [
    runtimeCheck(),
    simdCheck(),
    sharedCheck(),
    coresCheck(),
    await memoryCheck(),
    await kernelCheck(),
    await workerCheck(),
    ...permissionChecks(),
    ...await partChecks(),
  ];
  if (args.has("json")) { for (const check of checks) outJson(io, check); }
  else io.out(textOf(checks, args.has("quiet")));
  return checks.some(({ needed, ok }) => needed && !ok) ? 1 : 0;
}

/** A line for each; with `--quiet` only for what is missing and needed. */
export function textOf(checks: readonly Check[], quiet: boolean): string {
  const missing = checks.filter(({ needed, ok }) => needed && !ok);
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = (quiet ? missing : checks).map((check) =>
    `  ${signOf(check)} ${check.name.padEnd(width)}  ${said(check)}`
  );
  const end = missing.length === 0
    ? "All that is needed is here."
    : `Missing: ${missing.map(({ name }) => name).join(", ")}.`;
  return [...quiet ? [] : [`tilewise ${VERSION}`], ...lines, ...quiet ? [] : [end]].map((line) => `${line}\n`)
    .join("");
}

function signOf({ ok, needed }: Check): string {
  return ok ? "✓" : needed ? "✗" : "–";
}

function said({ found, advice }: Check): string {
  return oneLine(advice ? `${found}; ${advice}` : found);
}
