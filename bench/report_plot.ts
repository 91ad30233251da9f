/**
 * A plot of ratios: one bar for every row, to the left of 1 where the peer is faster, on a scale of logarithms.
 *
 * @module
 */

/** What a bar shows. */
export interface Bar {
  /** What was done. */
  readonly name: string;
  /** The cores. */
  readonly cores: number;
  /** How many times faster ours is. */
  readonly ratio: number;
}

const LINE = 15;
const WIDTH = 760;
const LABELS = 260;
const STYLE =
  "text{font:11px system-ui,sans-serif;fill:#333}.end{text-anchor:end}.middle{text-anchor:middle}" +
  ".lost{fill:#c2410c}.won{fill:#0f766e}line{stroke:#8888}" +
  "@media(prefers-color-scheme:dark){text{fill:#ddd}.lost{fill:#fb923c}.won{fill:#2dd4bf}}";

/** The plot as SVG. */
export function plot(bars: readonly Bar[]): string {
  const logs = bars.map(({ ratio }) => Math.log2(ratio));
  const [low, high] = [Math.floor(Math.min(-1, ...logs)), Math.ceil(Math.max(1, ...logs))];
  const at = (log: number) => Math.round(LABELS + (WIDTH - LABELS - 50) * (log - low) / (high - low));
  const height = LINE * (bars.length + 2);
  const marks = Array.from({ length: high - low + 1 }, (_, i) => low + i).map((log) =>
    `<line x1="${at(log)}" x2="${at(log)}" y1="${LINE}" y2="${height}"/>` +
    `<text class="middle" x="${at(log)}" y="11">${times(log)}</text>`
  );
  const rows = bars.map(({ name, cores, ratio }, i) => {
    const [y, end, zero] = [LINE * (i + 1.5), at(Math.log2(ratio)), at(0)];
    const text = `${escaped(name)}, ${cores === 1 ? "1 core" : `${cores} cores`}`;
    return `<text class="end" x="${LABELS - 8}" y="${y + 9}">${text}</text>` +
      `<rect class="${ratio < 1 ? "lost" : "won"}" x="${Math.min(zero, end)}" y="${y}" height="${
        LINE - 4
      }" ` +
      `width="${Math.max(1, Math.abs(end - zero))}"/>` +
      `<text x="${Math.max(zero, end) + 4}" y="${y + 9}">${ratio.toFixed(2)}</text>`;
  });
  const [open, close] = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}">`,
    "</svg>\n",
  ];
  return [open, `<style>${STYLE}</style>`, ...marks, ...rows, close].join("\n");
}

function times(log: number): string {
  return log < 0 ? `1/${2 ** -log}` : `${2 ** log}×`;
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
