/**
 * The bundlers: what is installed of each, which files a program has for it, how it is built, and where it is built to. The
 * configurations are those of `docs/how_to/bundlers.md`.
 *
 * @module
 */

const PAGE = Deno.readTextFileSync(new URL("../../docs/how_to/bundlers.md", import.meta.url));

/** A bundler. */
export interface Bundler {
  /** Packages with their versions; the first one is the bundler. */
  readonly packages: readonly string[];
  /** Files of the program beside those of all. */
  readonly files: Readonly<Record<string, string>>;
  /** The words of the command, after the file in `node_modules/.bin`. */
  readonly command: readonly string[];
  /** Where the page is built to. */
  readonly out: string;
  /** What a warning looks like. */
  readonly warning: RegExp;
  /** How many there are, which are none of ours. Default 0. */
  readonly warnings?: number;
}

/** The first block of a section of the page. */
function block(section: string, language: string): string {
  const [, text = ""] = PAGE.split(`# ${section}\n`);
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "m").exec(text)![1]!;
}

/** The program of the page. */
export const PROGRAM: string = block("How to: bundlers", "js");

const INDEX = '<!doctype html>\n<script type="module" src="./main.js"></script>\n';
const WARNING = /\bwarn(ing)?\b/i;

/** Vite needs no configuration; this one keeps it from warning that a build was slow, which depends on the machine. */
const UNTIMED = "export default { build: { rolldownOptions: { checks: { pluginTimings: false } } } };\n";

/** Tells what the program of Next shows, and how many workers started. */
const WATCHING = `
let workers = 0;
globalThis.Worker = class extends Worker {
  constructor(url, options) {
    super(url, options);
    workers++;
  }
};
const timer = setInterval(() => {
  const first = document.querySelector("p")?.textContent ?? "…";
  if (first === "…") return;
  clearInterval(timer);
  fetch("/found", { method: "POST", body: JSON.stringify({ digests: { first, workers: String(workers) } }) });
}, 50);
`;

/** All of them. */
export const BUNDLERS: Readonly<Record<string, Bundler>> = {
  vite: {
    packages: ["vite@8.3.8"],
    files: { "index.html": INDEX, "vite.config.js": UNTIMED },
    command: ["vite", "build"],
    out: "dist",
    warning: /^\(!\)|^\S*\[[A-Z_]+\]/,
  },
  webpack: {
    packages: ["webpack@5.113.0", "webpack-cli@7.3.1"],
    files: { "webpack.config.js": block("webpack", "js"), "dist/index.html": INDEX },
    command: ["webpack", "--mode", "production", "--entry", "./main.js"],
    out: "dist",
    warning: /^WARNING/,
  },
  rollup: {
    packages: ["rollup@4.68.8", "@rollup/plugin-node-resolve@16.0.3"],
    files: { "rollup.config.js": block("Rollup", "mjs ignore"), "out/index.html": INDEX },
    command: ["rollup", "-c"],
    out: "out",
    warning: /^\(!\)|\bwarn/i,
  },
  esbuild: {
    packages: ["esbuild@0.28.2"],
    files: { "out/index.html": INDEX },
    command: block("esbuild", "sh").trim().split(/\s+/),
    out: "out",
    warning: /WARNING/,
  },
  parcel: {
    packages: ["parcel@2.16.4"],
    files: { "index.html": INDEX },
    command: ["parcel", "build", "index.html", "--no-cache", "--no-scope-hoist"],
    out: "dist",
    warning: WARNING,
  },
  next: {
    packages: ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"],
    files: {
      "app/sum.js": PROGRAM,
      "app/page.js": block("Next.js", "jsx ignore"),
      "app/layout.js": 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
      "instrumentation-client.js": WATCHING,
      "next.config.mjs": 'export default { output: "export" };\n',
    },
    command: ["next", "build", "--webpack"],
    out: "out",
    warning: /^Circular dependency between chunks/,
    warnings: 2, // of the chunks of Next itself
  },
};
