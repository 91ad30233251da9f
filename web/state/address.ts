/**
 * The state of the page as the fragment of its address, readable and checked: `#v=1&url=scan.mib&run=disk&run.r=20`.
 *
 * A fragment comes from anyone: every value is checked, what cannot be right is left out and named. Nothing that is read here can
 * do more than a click in the page. Names of other servers are marked in {@link isForeign}, so that the page asks first.
 *
 * @module
 */

import { analysisName } from "./old_words.ts";
import {
  readChannels,
  readDisplay,
  Reader,
  readFolder,
  readLook,
  readObjects,
  readOrder,
  readOverlay,
  readPosition,
  readRegion,
  readSecond,
  readStack,
  readView,
  readWord,
} from "./reading.ts";
import {
  type CardView,
  type ChannelLooks,
  type Display,
  type ObjectChoice,
  type Overlay,
  type PageState,
  PANELS,
  type Region,
  type SecondImage,
  type ShownPart,
  type SourceChoice,
  START,
} from "./state.ts";

/** The version of the form. */
const VERSION = "1";

/** Longest fragment that is read. */
const MOST = 32_768;

/** Most files that a fragment names. */
export const MOST_NAMES = 20;

/** What a fragment says. */
export interface Address {
  /** The state; what the fragment does not say is as at the start. */
  readonly state: PageState;
  /** What could not be used, one sentence each. */
  readonly problems: readonly string[];
}

/** The fragment of a state, without `#`. Values as at the start are left out. */
export function toAddress(state: PageState): string {
  const pairs: [string, string][] = [
    ["v", VERSION],
    ...(state.folder === undefined ? [] : [["folder", state.folder] as [string, string]]),
    ...sourcePairs(state.source),
    ...Object.entries(state.open).map(([name, value]): [string, string] => [`open.${name}`, value]),
    ...(state.panel === START.panel ? [] : [["panel", state.panel] as [string, string]]),
    ["run", state.analysis.name],
    ...Object.entries(state.analysis.values).map(([name, value]): [string, string] => [`run.${name}`, value]),
    ...resultPairs(state),
    ...(state.instead ? [["instead", state.instead] as [string, string]] : []),
    ...(state.position ? [["at", state.position.join(",")] as [string, string]] : []),
    ...regionPairs("roi", state.roi),
    ...displayPairs("scan", state.scan, START.scan),
    ...displayPairs("frame", state.frame, START.frame),
    ...viewPairs("scan", state.views.scan),
    ...viewPairs("frame", state.views.frame),
    ...lookPairs("view", state.look),
    ...Object.entries(state.stack).filter(([, position]) => position !== 0)
      .map(([label, position]): [string, string] => [`stack.${label}`, `${position}`]),
    ...(state.channels ? [["channels", writeChannels(state.channels)] as [string, string]] : []),
    ...(state.order ? [["order", state.order.join(",")] as [string, string]] : []),
    ...overlayPairs(state.overlay),
    ...(state.grid ? [["grid", "1"] as [string, string]] : []),
    ...state.filters.map((filter): [string, string] => ["filter", filter]),
    ...objectPairs(state.objects),
    ...secondPairs(state.second),
  ];
  return pairs.map(([key, value]) => `${key}=${escape(value)}`).join("&");
}

/** Reads a fragment, with or without `#`. It never throws. */
export function fromAddress(fragment: string): Address {
  const text = fragment.replace(/^#/, "");
  if (text === "") return { state: START, problems: [] };
  if (text.length > MOST) {
    return { state: START, problems: ["The address is too long to be one of this page."] };
  }
  const reader = new Reader(text);
  const version = reader.one("v");
  if (version !== VERSION) {
    return {
      state: START,
      problems: [`The address is of version ${version ?? "0"}; this page reads version ${VERSION}.`],
    };
  }
  const state = read(reader);
  return { state, problems: reader.problems() };
}

/** Whether a URL leads to another server than the page's. */
export function isForeign(url: string, page: string): boolean {
  return new URL(url, page).origin !== new URL(page).origin;
}

function read(reader: Reader): PageState {
  const source = readSource(reader);
  const folder = readFolder(reader, "folder");
  const position = readPosition(reader, "at");
  const roi = readRegion(reader, "roi");
  const instead = readWord(reader, "instead");
  const look = readLook(reader, "view");
  const [scan, frame] = [readView(reader, "scan"), readView(reader, "frame")];
  const name = readWord(reader, "result");
  const channels = readChannels(reader, "channels");
  const overlay = readOverlay(reader, "overlay");
  const order = readOrder(reader, "order");
  const objects = readObjects(reader, "objects");
  const second = readSecond(reader, "second");
  const channel = reader.number("channel", { least: 0, most: 10_000, whole: true });
  return {
    ...(source ? { source } : {}),
    open: reader.record("open"),
    ...(folder === undefined ? {} : { folder }),
    panel: reader.oneOf("panel", PANELS) ?? START.panel,
    analysis: {
      name: analysisName(readWord(reader, "run") ?? START.analysis.name),
      values: reader.record("run"),
    },
    ...(name ? { result: { name, ...(channel === undefined ? {} : { channel }) } } : {}),
    ...(position ? { position } : {}),
    ...(roi ? { roi } : {}),
    ...(instead ? { instead } : {}),
    scan: readDisplay(reader, "scan", START.scan),
    frame: readDisplay(reader, "frame", START.frame),
    views: { ...(scan ? { scan } : {}), ...(frame ? { frame } : {}) },
    ...(look ? { look } : {}),
    stack: readStack(reader, "stack"),
    ...(channels ? { channels } : {}),
    ...(order ? { order } : {}),
    ...(overlay ? { overlay } : {}),
    filters: reader.all("filter").filter((filter) =>
      reader.check("filter", filter !== "" && filter.length <= 500)
    ),
    ...(objects ? { objects } : {}),
    ...(second ? { second } : {}),
    ...(reader.oneOf("grid", ["1"]) ? { grid: true } : {}),
  };
}

function readSource(reader: Reader): SourceChoice | undefined {
  const [sample, url, names] = [readWord(reader, "sample"), reader.one("url"), reader.all("file")];
  if (sample !== undefined) return { kind: "sample", name: sample };
  if (url !== undefined && reader.check("url", isWebAddress(url))) return { kind: "url", url };
  const shown = names.filter((name) => reader.check("file", isFileName(name))).slice(0, MOST_NAMES);
  return shown.length > 0 ? { kind: "files", names: shown } : undefined;
}

/** Whether a page may open it: http or https, or relative to the page, and without a password in it. */
function isWebAddress(url: string): boolean {
  try {
    const { protocol, username, password } = new URL(url, "https://page.invalid/");
    return /^https?:$/.test(protocol) && username === "" && password === "" && isText(url) &&
      url.length <= 4000;
  } catch {
    return false;
  }
}

/** A name that can be shown on one line. */
function isFileName(name: string): boolean {
  return name !== "" && name.length <= 255 && isText(name);
}

/** No control characters, nor such as turn the direction of text. */
function isText(text: string): boolean {
  // deno-lint-ignore no-control-regex -- these are what is looked for
  return !/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text);
}

function sourcePairs(source: SourceChoice | undefined): [string, string][] {
  if (!source) return [];
  if (source.kind === "sample") return [["sample", source.name]];
  if (source.kind === "url") return [["url", source.url]];
  return source.names.slice(0, MOST_NAMES).map((name) => ["file", name]);
}

function resultPairs({ result }: PageState): [string, string][] {
  if (!result) return [];
  const channel: [string, string][] = result.channel === undefined ? [] : [["channel", `${result.channel}`]];
  return [["result", result.name], ...channel];
}

function regionPairs(key: string, region: Region | undefined): [string, string][] {
  if (!region) return [];
  const { kind, ...numbers } = region;
  return [
    [key, kind],
    ...Object.entries(numbers).map(([name, value]): [string, string] => [`${key}.${name}`, `${value}`]),
  ];
}

function viewPairs(key: string, { view, line }: CardView = {}): [string, string][] {
  return [
    ...lookPairs(`${key}.view`, view),
    ...(line ? [[`${key}.line`, line.join(",")] as [string, string]] : []),
  ];
}

function lookPairs(key: string, look: ShownPart | undefined): [string, string][] {
  return look ? [[key, [look.y, look.x, look.zoom].join(",")]] : [];
}

/** `one`, or for each channel `-` if it is hidden, its colour, and its range: `00ff00;-ff00ff,100,4000`. */
function writeChannels(channels: ChannelLooks): string {
  if (channels === "one") return channels;
  return channels.map(({ shown, colour, range = [] }) => `${shown ? "" : "-"}${[colour, ...range].join(",")}`)
    .join(";");
}

function overlayPairs(overlay: Overlay | undefined): [string, string][] {
  if (!overlay) return [];
  const { name, opacity, outline } = overlay;
  return [
    ["overlay", name],
    ["overlay.opacity", `${opacity}`],
    ...(outline ? [["overlay.outline", "true"] as [string, string]] : []),
  ];
}

function objectPairs(objects: ObjectChoice | undefined): [string, string][] {
  if (!objects) return [];
  const { threshold, ...others } = objects;
  return [
    ["objects", `${threshold}`],
    ...Object.entries(others).map(([name, value]): [string, string] => [`objects.${name}`, `${value}`]),
  ];
}

function secondPairs(second: SecondImage | undefined): [string, string][] {
  if (!second) return [];
  const { name, of, wipe, lens, channels, order, scan = START.scan } = second;
  const pairs: [string, string | undefined][] = [
    ["second", name || undefined],
    ["second.file", of?.kind === "file" ? of.path : undefined],
    ["second.url", of?.kind === "url" ? of.url : undefined],
    ["second.wipe", wipe?.toString()],
    ["second.lens", lens?.join(",")],
    ["second.channels", channels && writeChannels(channels)],
    ["second.order", order?.join(",")],
  ];
  const given = pairs.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return [...given, ...displayPairs("second", scan, START.scan)];
}

function displayPairs(key: string, display: Display, start: Display): [string, string][] {
  const fields: [string, string, string][] = [
    ["map", display.colormap, start.colormap],
    ["scale", display.scale, start.scale],
    ["gamma", `${display.gamma}`, `${start.gamma}`],
    ["percentile", display.percentile.join(","), start.percentile.join(",")],
    ["range", display.range?.join(",") ?? "", ""],
  ];
  return fields.filter(([, value, usual]) => value !== usual).map((
    [name, value],
  ) => [`${key}.${name}`, value]);
}

/** Percent signs only where the form needs them: an address is to be read by people. */
function escape(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /%(3A|2C|2F|40|20|3B)/g,
    (code) => code === "%20" ? "+" : decodeURIComponent(code),
  );
}
