/**
 * What servers do that pages cannot read from, and what can be done about it.
 *
 * @module
 */

import type { Known, Row } from "./known.ts";

/** Errors of these codes about a file on a server. */
const remote = (...codes: readonly string[]) => ({ code, details }: Known): boolean =>
  codes.includes(code) && /^https?:/.test(String(details["file"] ?? ""));

/** Errors that expect something of which the beginning is known. */
const expects = (beginning: string) => ({ details }: Known): boolean =>
  String(details["expected"] ?? "").startsWith(beginning);

const DOWNLOAD = "Or download the file and drop it here: then no server is needed.";

/** Rows about servers: special ones first. */
export const SERVERS: readonly Row[] = [
  {
    when: ({ details }) => details["file"] === "data/sources.json",
    title: "The command that shows this page does not answer it",
    steps: [
      "Open the link that tilewise view has printed: only it has the token.",
      "If the command has ended, start it again: it prints another link.",
    ],
  },
  {
    when: expects("Access-Control-Expose-Headers"),
    title: "The server hides which bytes it sends",
    steps: [
      "Its owner can show them to this page with the header Access-Control-Expose-Headers.",
      DOWNLOAD,
    ],
    again: true,
  },
  {
    when: ({ code, message, details }) =>
      /Access-Control-Allow-Origin/.test(`${message} ${details["expected"]}`) ||
      (code === "" &&
        /CORS|cross-origin|Failed to fetch|NetworkError when attempting|Load failed/i.test(message)),
    title: "The server does not let this page read the file",
    steps: [
      "Its owner can allow it with the header Access-Control-Allow-Origin (and expose Content-Range, ETag, Content-Length).",
      DOWNLOAD,
      "If you are offline, or the address has a typing error, that looks the same to a page.",
    ],
    again: true,
  },
  {
    when: expects("https:"),
    title: "This page reads from https only",
    steps: ["Type the address with https:// if its server has that.", DOWNLOAD],
  },
  {
    when: remote("not-found"),
    title: "The server does not have this file",
    steps: [
      "Look for typing errors in the address: capital letters count.",
      "Its owner may have moved or removed it.",
    ],
    again: true,
  },
  {
    when: remote("permission"),
    title: "The server does not give this file to everyone",
    steps: ["It may want you to sign in, or a link that has ended; a page cannot do that for you.", DOWNLOAD],
    again: true,
  },
  {
    when: remote("timeout", "io"),
    title: "The server does not answer as it should",
    steps: ["Wait a little, look at your connection, and try again.", DOWNLOAD],
    again: true,
  },
  {
    when: (error) =>
      remote("unsupported")(error) && (error.details["option"] === "http.wholeLimit" ||
        error.details["expected"] === "identity" || /does not tell how large it is$/.test(error.message)),
    title: "The server sends only whole files",
    steps: [
      "Tilewise reads the parts it needs, for which the server must support range requests (Accept-Ranges: bytes).",
      "Download the file and drop it here, or serve its folder with “tilewise view FILE”.",
    ],
  },
];
