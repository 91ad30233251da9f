/**
 * Draws images with the graphics card: the numbers are a texture, so that another contrast costs nothing.
 *
 * @module
 */

/// <reference lib="dom" />

import { HUES, LENGTHS } from "../../../src/pictures/mod.ts";
import type { DrawnImage } from "../../draw/drawn.ts";
import type { Colours } from "../../draw/paint.ts";
import { asFloats, fragmentShader, VERTEX_SHADER } from "../../draw/shaders.ts";
import type { NumberTexture, TextureKind } from "../../draw/texture.ts";
import { gammaOf } from "../../draw/transfer.ts";
import type { Painting, Piece, Surface } from "./surface.ts";

/** Texture units. */
const [FIRST, SECOND, ROWS, COLUMNS, COLOURS] = [0, 1, 2, 3, 4];

/** The uniforms that are samplers, and their units. */
const SAMPLERS = { first: FIRST, second: SECOND, rows: ROWS, columns: COLUMNS, colours: COLOURS };

/** The surface of a canvas, if the browser has WebGL2. */
export function surfaceGl(canvas: HTMLCanvasElement): Surface | undefined {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, stencil: false });
  return gl ? new GlSurface(canvas, gl) : undefined;
}

/** An image on the graphics card. */
interface Uploaded {
  readonly n: number;
  readonly kind: TextureKind;
  readonly factor: number;
  readonly textures: readonly WebGLTexture[];
}

class GlSurface implements Surface {
  readonly kind = "webgl2";
  readonly #programs = new Map<string, WebGLProgram>();
  readonly #most: number;
  #uploaded = new Map<DrawnImage, Uploaded>();
  #table: Uint8Array | undefined;

  constructor(readonly canvas: HTMLCanvasElement, readonly gl: WebGL2RenderingContext) {
    this.#most = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    for (const unit of [ROWS, COLUMNS, COLOURS]) this.#bind(unit, this.#makeTexture(unit));
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  }

  fits(width: number, height: number): boolean {
    return width <= this.#most && height <= this.#most;
  }

  draw({ width, height, pieces, colours }: Painting): void {
    const { gl, canvas } = this;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.#keepOnly(pieces);
    for (const piece of pieces) this.#drawPiece(piece, height, colours);
  }

  pixels(painting: Painting): Uint8ClampedArray<ArrayBuffer> {
    this.draw(painting);
    const { gl } = this;
    const { width, height } = painting;
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

  /** The first channel replaces what is there, the others are added to it. */
  #drawPiece(
    { images, n, rows, columns, top, left }: Piece,
    height: number,
    colours: readonly Colours[],
  ): void {
    if (rows.length === 0 || columns.length === 0) return;
    const { gl } = this;
    this.#upload(ROWS, gl.R32I, gl.RED_INTEGER, gl.INT, rows.length, 1, rows);
    this.#upload(COLUMNS, gl.R32I, gl.RED_INTEGER, gl.INT, columns.length, 1, columns);
    const below = height - top - rows.length;
    gl.viewport(left, below, columns.length, rows.length);
    gl.blendFunc(gl.ONE, gl.ONE);
    images.forEach((image, channel) => {
      if (channel === 0) gl.disable(gl.BLEND);
      else gl.enable(gl.BLEND);
      const program = this.#programFor(image, n, colours[channel]!);
      gl.uniform1i(gl.getUniformLocation(program, "height"), rows.length);
      gl.uniform2i(gl.getUniformLocation(program, "corner"), left, below);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    });
  }

  /** The program that draws an image in its colours, ready to be run. */
  #programFor(image: DrawnImage, n: number, colours: Colours): WebGLProgram {
    const { kind, factor, textures } = this.#show(image, n);
    textures.forEach((texture, unit) => this.#bind(unit, texture));
    this.#setTable(colours.table);
    const program = this.#program(kind, image.directions);
    this.gl.useProgram(program);
    this.#setUniforms(program, colours, factor);
    return program;
  }

  /** Images that are not drawn any more give their memory back. */
  #keepOnly(pieces: readonly Piece[]): void {
    const needed = new Set(pieces.flatMap(({ images }) => images));
    for (const [image, { textures }] of this.#uploaded) {
      if (needed.has(image)) continue;
      for (const texture of textures) this.gl.deleteTexture(texture);
      this.#uploaded.delete(image);
    }
  }

  #show(image: DrawnImage, n: number): Uploaded {
    const there = this.#uploaded.get(image);
    if (there?.n === n) return there;
    for (const texture of there?.textures ?? []) this.gl.deleteTexture(texture);
    const numbers = image.textures(n);
    const textures = numbers.map((one, unit) => {
      const texture = this.#makeTexture(unit);
      this.#uploadNumbers(unit, one);
      return texture;
    });
    const { kind = "float", factor = 1 } = numbers[0] ?? {};
    const uploaded = { n, kind, factor, textures };
    this.#uploaded.set(image, uploaded);
    return uploaded;
  }

  #bind(unit: number, texture: WebGLTexture): void {
    this.gl.activeTexture(this.gl.TEXTURE0 + unit);
    this.gl.bindTexture(this.gl.TEXTURE_2D, texture);
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

  /** A texture without smoothing, bound to a unit. */
  #makeTexture(unit: number): WebGLTexture {
    const { gl } = this;
    const texture = gl.createTexture();
    this.#bind(unit, texture);
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) {
      gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
    }
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    }
    return texture;
  }

  #setUniforms(program: WebGLProgram, { limits: [low, high], display }: Colours, factor: number): void {
    const { gl } = this;
    const at = (name: string) => gl.getUniformLocation(program, name);
    for (const [name, unit] of Object.entries(SAMPLERS)) gl.uniform1i(at(name), unit);
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
