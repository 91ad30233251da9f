/**
 * Draws images with the graphics card: the numbers are a texture, so that another contrast costs nothing.
 *
 * @module
 */

/// <reference lib="dom" />

import { HUES, LENGTHS } from "../../src/pictures/mod.ts";
import type { DrawnImage } from "../draw/drawn.ts";
import type { Colours } from "../draw/paint.ts";
import { asFloats, fragmentShader, VERTEX_SHADER } from "../draw/shaders.ts";
import type { NumberTexture, TextureKind } from "../draw/texture.ts";
import { gammaOf } from "../draw/transfer.ts";
import type { Painting, Surface } from "./surface.ts";

/** Texture units. */
const [FIRST, SECOND, ROWS, COLUMNS, COLOURS] = [0, 1, 2, 3, 4];

/** The uniforms that are samplers, and their units. */
const SAMPLERS = { first: FIRST, second: SECOND, rows: ROWS, columns: COLUMNS, colours: COLOURS };

/** The surface of a canvas, if the browser has WebGL2. */
export function surfaceGl(canvas: HTMLCanvasElement): Surface | undefined {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, stencil: false });
  return gl ? new GlSurface(canvas, gl) : undefined;
}

class GlSurface implements Surface {
  readonly kind = "webgl2";
  readonly #programs = new Map<string, WebGLProgram>();
  readonly #most: number;
  #shown: {
    readonly image: DrawnImage;
    readonly n: number;
    readonly kind: TextureKind;
    readonly factor: number;
  } | undefined;
  #table: Uint8Array | undefined;

  constructor(readonly canvas: HTMLCanvasElement, readonly gl: WebGL2RenderingContext) {
    this.#most = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    for (const unit of Object.values(SAMPLERS)) this.#makeTexture(unit);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  }

  fits(width: number, height: number): boolean {
    return width <= this.#most && height <= this.#most;
  }

  draw({ image, n, rows, columns, colours }: Painting): void {
    const { gl, canvas } = this;
    if (canvas.width !== columns.length) canvas.width = columns.length;
    if (canvas.height !== rows.length) canvas.height = rows.length;
    const { kind, factor } = this.#show(image, n);
    this.#setTable(colours.table);
    this.#upload(ROWS, gl.R32I, gl.RED_INTEGER, gl.INT, rows.length, 1, rows);
    this.#upload(COLUMNS, gl.R32I, gl.RED_INTEGER, gl.INT, columns.length, 1, columns);
    const program = this.#program(kind, image.directions);
    gl.useProgram(program);
    this.#setUniforms(program, colours, factor);
    gl.viewport(0, 0, columns.length, rows.length);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  pixels(painting: Painting): Uint8ClampedArray<ArrayBuffer> {
    this.draw(painting);
    const { gl } = this;
    const [width, height] = [painting.columns.length, painting.rows.length];
    const upward = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, upward);
    const pixels = new Uint8ClampedArray(upward.length);
    for (let y = 0; y < height; y++) {
      pixels.set(upward.subarray(4 * width * y, 4 * width * (y + 1)), 4 * width * (height - 1 - y));
    }
    return pixels;
  }

  close(): void {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  #show(image: DrawnImage, n: number): { readonly kind: TextureKind; readonly factor: number } {
    if (this.#shown?.image === image && this.#shown.n === n) return this.#shown;
    const textures = image.textures(n);
    textures.forEach((texture, unit) => this.#uploadNumbers(unit, texture));
    const { kind = "float", factor = 1 } = textures[0] ?? {};
    this.#shown = { image, n, kind, factor };
    return this.#shown;
  }

  #uploadNumbers(unit: number, { kind, width, height, data }: NumberTexture): void {
    const { gl } = this;
    const [inside, format] = kind === "double"
      ? [gl.RG32UI, gl.RG_INTEGER]
      : [insideOf(gl, data), gl.RED_INTEGER];
    this.#upload(unit, inside, format, typeOf(gl, data), width, height, data);
  }

  #setTable(table: Uint8Array): void {
    if (this.#table === table) return;
    const { gl } = this;
    const [width, height] = table.length === 3 * 256 ? [256, 1] : [LENGTHS, HUES];
    this.#upload(COLOURS, gl.RGB8, gl.RGB, gl.UNSIGNED_BYTE, width, height, table);
    this.#table = table;
  }

  #upload(
    unit: number,
    inside: number,
    format: number,
    type: number,
    width: number,
    height: number,
    data: ArrayBufferView,
  ): void {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.texImage2D(gl.TEXTURE_2D, 0, inside, width, height, 0, format, type, data);
  }

  #makeTexture(unit: number): void {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) {
      gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
    }
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    }
  }

  #setUniforms(program: WebGLProgram, { limits: [low, high], display }: Colours, factor: number): void {
    const { gl } = this;
    const at = (name: string) => gl.getUniformLocation(program, name);
    for (const [name, unit] of Object.entries(SAMPLERS)) gl.uniform1i(at(name), unit);
    gl.uniform1i(at("height"), gl.drawingBufferHeight);
    gl.uniform2f(at("base"), ...asFloats(low * factor));
    gl.uniform2f(at("none"), 0, 0);
    gl.uniform1f(at("span"), (high - low) * factor);
    gl.uniform1f(at("gamma"), gammaOf(display));
    gl.uniform1i(at("isLog"), display.scale === "log" ? 1 : 0);
  }

  #program(kind: TextureKind, isVector: boolean): WebGLProgram {
    const key = `${kind} ${isVector}`;
    let program = this.#programs.get(key);
    if (!program) this.#programs.set(key, program = linked(this.gl, fragmentShader(kind, isVector)));
    return program;
  }
}

function linked(gl: WebGL2RenderingContext, fragment: string): WebGLProgram {
  const program = gl.createProgram();
  const parts = [[gl.VERTEX_SHADER, VERTEX_SHADER], [gl.FRAGMENT_SHADER, fragment]] as const;
  for (const [type, source] of parts) {
    const shader = gl.createShader(type);
    if (!shader) continue; // the context is lost: nothing is drawn until it is back
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`Cannot draw with WebGL2: ${gl.getProgramInfoLog(program)}`);
  }
  return program;
}

type Texels = NumberTexture["data"];

function insideOf(gl: WebGL2RenderingContext, data: Texels): number {
  if (data instanceof Uint8Array) return gl.R8UI;
  if (data instanceof Int8Array) return gl.R8I;
  if (data instanceof Uint16Array) return gl.R16UI;
  return data instanceof Int16Array ? gl.R16I : gl.R32UI;
}

function typeOf(gl: WebGL2RenderingContext, data: Texels): number {
  if (data instanceof Uint8Array) return gl.UNSIGNED_BYTE;
  if (data instanceof Int8Array) return gl.BYTE;
  if (data instanceof Uint16Array) return gl.UNSIGNED_SHORT;
  return data instanceof Int16Array ? gl.SHORT : gl.UNSIGNED_INT;
}
