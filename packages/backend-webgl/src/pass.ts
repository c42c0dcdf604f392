/**
 * One draw: a native GLSL function, called once for each texel of a sheet, as a gpu.js kernel.
 *
 * gpu.js makes the program around it, binds textures and numbers (`user_<name>` in GLSL) and gives the result as a
 * texture. What gpu.js would leave unsaid is checked here: the mode that it really runs in, the link, the framebuffer.
 *
 * @module
 */
import { ProgramCompilationError } from '@manybody/core'
import type { DriverKernel, DriverTexture } from './driver.ts'
import { type GlHost, type Sheet, type SquareLocations, squareLocations } from './host.ts'
import type { SheetSize } from './layout.ts'

/** A pass as data: all that is compiled. */
export interface PassSource {
  /** Of the native function `vec4 <name>()`. */
  readonly name: string
  readonly glsl: string
  /** Functions that it calls. */
  readonly prelude?: string
  readonly textures: readonly string[]
  readonly integers?: readonly string[]
  readonly numbers?: readonly string[]
  /** One array of the host, as a texture that is as square as gpu.js makes it, before all textures. */
  readonly array?: { readonly name: string; readonly length: number }
  readonly size: SheetSize
}

export interface PassInputs {
  readonly array?: ArrayLike<number>
  readonly textures?: Readonly<Record<string, Sheet>>
  /** Values of `integers` and `numbers`. */
  readonly values?: Readonly<Record<string, number>>
}

export class Pass {
  readonly #kernel: DriverKernel
  readonly #square: SquareLocations
  #proven = false

  /**
   * @param standIn any texture: programs are compiled before there is data, and gpu.js compiles for given arguments
   * @throws {@link ProgramCompilationError}, {@link DeviceLostError}
   */
  constructor(
    readonly host: GlHost,
    readonly source: PassSource,
    standIn?: Sheet,
  ) {
    host.check()
    const { name, glsl, prelude = '', array, textures, integers = [], numbers = [], size } = source
    const names = [...(array ? [array.name] : []), ...textures, ...integers, ...numbers]
    this.#kernel = host.driver.createKernel(`function (${names.join(', ')}) { return ${name}(); }`, {
      ...kernelSettings,
      output: [size.width, size.height],
      nativeFunctions: [{ name, source: glsl, returnType: 'Array(4)', argumentTypes: {} }],
      injectedNative: prelude,
      argumentTypes: Object.fromEntries([
        ...(array ? [[array.name, 'Array']] : []),
        ...textures.map((texture) => [texture, 'ArrayTexture(4)']),
        ...integers.map((integer) => [integer, 'Integer']),
        ...numbers.map((number) => [number, 'Float']),
      ]),
    })
    const program = this.#compile([
      ...(array ? [new Float32Array(array.length)] : []),
      ...textures.map(() => standIn?.texture),
      ...[...integers, ...numbers].map(() => 0),
    ])
    this.#square = squareLocations(host.gl, program)
  }

  #compile(standIns: readonly unknown[]): WebGLProgram {
    const { host } = this
    try {
      this.#kernel.build(...standIns)
    } catch (cause) {
      host.check()
      throw this.#fault(String(cause instanceof Error ? cause.message : cause), cause)
    }
    const { context, program } = this.#kernel.kernel
    if (context !== host.gl)
      throw this.#fault('gpu.js left WebGL for another mode; update the driver or use another backend')
    if (!program || !host.gl.getProgramParameter(program, host.gl.LINK_STATUS)) {
      host.check()
      throw this.#fault(`linking failed: ${(program && host.gl.getProgramInfoLog(program)) || 'no message'}`)
    }
    return program
  }

  /** Draws. The result is the caller's to delete. @throws {@link DeviceLostError} */
  run({ array, textures = {}, values = {} }: PassInputs): Sheet {
    const { host, source } = this
    host.check()
    host.bindSquare(this.#square)
    const texture = this.#kernel(
      ...(source.array ? [array] : []),
      ...source.textures.map((name) => textures[name]?.texture),
      ...[...(source.integers ?? []), ...(source.numbers ?? [])].map((name) => values[name] ?? 0),
    ) as DriverTexture
    if (!this.#proven) this.#prove()
    return { texture, ...source.size }
  }

  /** Once, as asking waits for the device. */
  #prove(): void {
    const { gl } = this.host
    if (this.#kernel.kernel.context !== gl) throw this.#fault('gpu.js left WebGL for another mode while running')
    const status = gl.checkFramebufferStatus(gl.FRAMEBUFFER)
    const error = gl.getError()
    this.host.check()
    if (status !== gl.FRAMEBUFFER_COMPLETE)
      throw this.#fault(`its float framebuffer is incomplete (status ${status}); use another backend`)
    if (error !== gl.NO_ERROR) throw this.#fault(`drawing failed with WebGL error ${error}; use another backend`)
    this.#proven = true
  }

  #fault(message: string, cause?: unknown): ProgramCompilationError {
    return new ProgramCompilationError('webgl', this.source.glsl, [message], { cause })
  }

  dispose(): void {
    this.#kernel.destroy()
  }
}

/**
 * Float32 everywhere (`single`), highp everywhere (`precision`), results that are not overwritten by the next run, and
 * the feature tests of gpu.js, which would open contexts of their own, left out.
 */
const kernelSettings = {
  precision: 'single',
  tactic: 'precision',
  fixIntegerDivisionAccuracy: false,
  pipeline: true,
  immutable: true,
  validate: false,
} as const
