/**
 * Errors as messages of the page: what happened, and what one can do about it here.
 *
 * @module
 */

import { has, is, type Known, knownOf, type Row } from "./known.ts";
import { SERVERS } from "./servers.ts";

/** A message without its place on the page. */
export interface Advice {
  /** What happened, in a few words. */
  readonly title: string;
  /** The sentence of the error. */
  readonly text: string;
  /** What can be done. */
  readonly steps: readonly string[];
  /** `warn`: facts are missing; `bad`: it has failed. */
  readonly kind: "warn" | "bad";
  /** Whether a form with facts about the file can help. */
  readonly form: boolean;
  /** Whether it may work at another time. */
  readonly again: boolean;
  /** Paths of stores, of which the user has to choose one. */
  readonly stores: readonly string[];
}

/** Longest message that is shown whole. */
const MOST = 240;

/** The first row that fits is taken: special ones come first. */
const ROWS: readonly Row[] = [
  {
    when: has(/dynamically imported module|Importing a module script failed/i),
    title: "A part of this page could not be loaded",
    steps: [
      "Load the page again. If it was closed for long, a newer version may have taken its place.",
      "If its server was stopped (“tilewise view”), start it again.",
    ],
    again: true,
  },
  ...SERVERS,
  {
    when: has(/SIMD/i),
    title: "This browser lacks WebAssembly SIMD",
    steps: ["Use a browser from 2023 or later: Chrome, Edge, Firefox, or Safari from 16.4 on."],
  },
  {
    when: has(/WebAssembly|wasm.*(blocked|disallowed|policy)|unsafe-eval/i),
    title: "This browser does not run WebAssembly here",
    steps: [
      "A setting or a policy of your organisation switches it off; allow WebAssembly for this page.",
      "Or use another browser, or the command line: npx -y deno@2 run -A jsr:@tilewise/tilewise/cli",
    ],
  },
  {
    when: (error) => isWithoutWorkers(error),
    title: "This browser does not start workers here",
    steps: [
      "A policy or an extension blocks them; allow workers for this page, or try a private window.",
      "Try again computes without them: the same results, more slowly.",
    ],
    again: true,
  },
  {
    when: ({ code, message }) =>
      code === "worker" || /Content Security Policy|worker.*(blocked|policy)/i.test(message),
    title: "A worker stopped",
    steps: ["Memory was short, perhaps. Close other pages, and try again."],
    again: true,
  },
  {
    when: ({ code, message }) =>
      code === "over-budget" || /out of memory|allocation failed|could not allocate/i.test(message),
    title: "There is not enough memory for that",
    steps: [
      "Close other pages, and try again.",
      "Choose a region of the scan, or an analysis with smaller results.",
      "A browser gives a page a few GiB at most; the command line has no such limit.",
    ],
    again: true,
  },
  {
    when: is("changed"),
    title: "The file has changed since it was opened",
    steps: ["Wait until the program that writes it is done, then choose the file again."],
    again: true,
  },
  {
    when: ({ code, message }) => code === "not-found" && /none beside it/.test(message),
    kind: "warn",
    title: "The file that it describes is missing",
    steps: ["Choose both files together, or their folder."],
  },
  {
    when: ({ name, code, message }) =>
      name === "NotFoundError" || name === "NotReadableError" || code === "not-found" ||
      /could not be (found|read)|no longer/i.test(message),
    title: "The file is no longer there",
    steps: ["It was moved, renamed, removed, or its drive is gone. Choose it again from where it is now."],
    again: true,
  },
  {
    when: is("unknown-format"),
    kind: "warn",
    title: "The format is not known",
    steps: [
      "If the file is raw frames, say below what they are.",
      "If it belongs to others (.hdr, .xml, .json …), choose all of them together, or their folder.",
    ],
    form: true,
  },
  {
    when: ({ code, message }) => code === "truncated" && /superblock|HDF5/.test(message),
    title: "The file ends too early",
    steps: [
      "Copy it again: it may have been written or sent only in part.",
      "If it is still being written, wait for the program that writes it, then choose it again.",
      "This page reads nothing of such a file: in HDF5, what says where everything is may stand at the end.",
    ],
    again: true,
  },
  {
    when: ({ code, message }) => code === "truncated" || /ends (early|inside)/i.test(message),
    title: "The file ends too early",
    steps: [
      "Copy it again: it may have been written or sent only in part.",
      "To read the complete frames all the same, choose that below.",
    ],
    form: true,
  },
  {
    when: is("malformed"),
    title: "The file is damaged, or not what its name says",
    steps: [
      "Copy it again, or open it with the program that wrote it.",
      "To read its bytes as raw frames, say below what they are.",
    ],
    form: true,
  },
  {
    when: is("invalid"),
    title: "These facts do not fit the file",
    steps: ["Change them below; suggestions that fit its size are offered there."],
    form: true,
  },
  {
    when: is("unsupported"),
    title: "This kind of file cannot be read",
    steps: ["See which formats can, in the help. To read its bytes as raw frames, say below what they are."],
    form: true,
  },
  {
    when: is("permission"),
    title: "Reading is not allowed",
    steps: [
      "Choose the file again: a page may read only what you gave it, and only as long as it stays open.",
    ],
    again: true,
  },
  {
    when: is("timeout", "io"),
    title: "Reading failed",
    steps: ["Check the drive or the network, then try again."],
    again: true,
  },
  {
    when: (error) => storesOf(error).length > 0,
    kind: "warn",
    title: "There are several stores in that folder",
    steps: [
      "Choose one of them. Others can be looked at beside an image, or opened by the button with its name.",
    ],
  },
  {
    when: has(/^The labels .* do not fit$/),
    kind: "warn",
    title: "The labels do not fit this image",
    steps: ["Choose None or other labels: those of another image lie elsewhere."],
  },
  {
    when: is("not-a-file"),
    title: "That is not a file of data",
    steps: ["Choose the files in it, or the folder with all of them."],
  },
];

const OTHER: Row = {
  when: () => true,
  title: "Something went wrong",
  steps: ["Try again. If it happens again, the details below help to find out why."],
  again: true,
};

/** What the page says about an error. */
export function adviceFor(error: unknown): Advice {
  const known = knownOf(error);
  const row = ROWS.find(({ when }) => when(known)) ?? OTHER;
  return {
    title: row.title,
    text: sentence(known.message),
    steps: row.steps,
    kind: row.kind ?? "bad",
    form: row.form ?? false,
    again: row.again ?? false,
    stores: storesOf(known),
  };
}

/** The stores that were found where one was expected. */
function storesOf({ details: { stores } }: Known): readonly string[] {
  return Array.isArray(stores) ? stores.filter((one) => typeof one === "string") : [];
}

/** All that is known of an error, for those who ask. */
export function detailsOf(error: unknown): string {
  const known = knownOf(error);
  const facts = Object.entries(known.details).filter(([key]) => key !== "reasons");
  const lines = [
    `${known.name}${known.code ? ` (${known.code})` : ""}: ${known.message}`,
    ...facts.map(([key, value]) => `${key}: ${typeof value === "object" ? JSON.stringify(value) : value}`),
  ];
  return lines.join("\n").slice(0, 4000);
}

/** Whether an error only says that someone has cancelled. */
export function isCancelled(error: unknown): boolean {
  const { name, code } = knownOf(error);
  return name === "AbortError" || code === "aborted";
}

/** Whether an error is about what was asked: it is shown beside the form of the analysis, and nowhere else. */
export function isAboutAnalysis(error: unknown): boolean {
  const known = knownOf(error);
  return /^(invalid|unsupported|udf)$/.test(known.code) && !isAboutPlatform(known);
}

/** Whether no worker could be started, so that it has to be done without. */
export function isWithoutWorkers(error: unknown): boolean {
  const { code, details } = knownOf(error);
  return code === "unsupported" && details["option"] === "workers";
}

function isAboutPlatform({ message, details }: Known): boolean {
  return details["option"] === "workers" || /WebAssembly/.test(`${details["expected"]} ${message}`);
}

/** Messages for the command line can be long: the page shows their first sentence, the rest is in the details. */
function sentence(message: string): string {
  if (message.length <= MOST) return message;
  const first = /^.{20,}?[.;](?= )/s.exec(message)?.[0] ?? message;
  return first.length <= MOST ? first.replace(/;$/, ".") : `${first.slice(0, MOST).replace(/\s+\S*$/, "")} …`;
}
