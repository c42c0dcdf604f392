/**
 * A gpu.js kernel, with checks that gpu.js does not make: that it really runs in WebGL, that it linked, and that its
 * framebuffer is complete.
 *
 * @module
 */
import { ProgramCompilationError } from '@manybody/core/backend'
import { withoutWaiting } from '../../quirks/early-questions.ts'
import { faultOf, hasCompiled, onOneTexel, withinLimit } from './compile.ts'
import type { DriverKernel, DriverTexture } from './gpu-js.ts'
import { type GlHost, squareAttributes } from './host.ts'
import { pause } from './wait.ts'

/**
 * Float32 everywhere (`single`) and highp everywhere (`precision`). The feature tests of gpu.js are off (`validate`),
 * because they would open extra contexts.
 */
const everyKernel = {
  precision: 'single',
  tactic: 'precision',
  fixIntegerDivisionAccuracy: false,
  validate: false,
} as const

export class CheckedKernel {
  readonly #kernel: DriverKernel
  readonly #program: WebGLProgram
  /** Arguments for a first draw while compiling; undefined for a kernel with results that gpu.js reads at once. */
  readonly #standIns: readonly unknown[] | undefined
  /** Whether each result has textures of its own. */
  readonly #kept: boolean
  #ready: Promise<void> | undefined
  #verified = false
  #proven = false

  /**
   * Starts compiling; `ready` or the first run throws if that fails.
   *
   * @param source text of a JavaScript function, as gpu.js expects it
   * @param standIns arguments like those of runs: gpu.js compiles for their types and sizes
   * @param shown the source that errors show
   * @throws {@link ProgramCompilationError}, {@link DeviceLostError}
   */
  constructor(
    readonly host: GlHost,
    source: string,
    settings: Readonly<Record<string, unknown>>,
    standIns: readonly unknown[],
    readonly shown: string,
  ) {
    host.check()
    this.#kernel = host.driver.createKernel(source, { ...everyKernel, ...settings })
    this.#kept = Boolean(settings.immutable)
    try {
      withoutWaiting(host.gl, squareAttributes, () => this.#kernel.build(...standIns))
    } catch (cause) {
      throw this.#fault(String(cause instanceof Error ? cause.message : cause), cause)
    }
    const { context, program } = this.#kernel.kernel
    if (context !== host.gl || !program)
      throw this.#fault('gpu.js left WebGL for another mode; update the driver or use another backend')
    this.#program = program
    this.#standIns = settings.pipeline ? standIns : undefined
  }

  /**
   * Resolves when the kernel has compiled, without blocking the page. Many drivers finish compiling at the first draw, so
   * this draws one texel and waits for it.
   *
   * @throws {@link ProgramCompilationError}, {@link DeviceLostError} if it does not finish
   */
  ready(): Promise<void> {
    this.#ready ??= withinLimit(this.host, (check) => this.#compiled(check))
    return this.#ready
  }

  async #compiled(check: () => void): Promise<void> {
    const { host } = this
    while (!hasCompiled(host.gl, this.#program)) {
      await pause(1)
      host.check()
      check()
    }
    this.#verify()
    const standIns = this.#standIns
    if (!standIns) return
    const drawn = onOneTexel(host.gl, () => this.#draw(standIns))
    const fence = host.fence()
    if (fence) await host.passed(fence, 0, check)
    if (this.#kept) (drawn as DriverTexture).delete()
  }

  #verify(): void {
    if (this.#verified) return
    const fault = faultOf(this.host.gl, this.#program)
    if (fault !== undefined) throw this.#fault(fault)
    this.#verified = true
  }

  /** Draws; the settings decide the kind of its results. @throws {@link DeviceLostError}, {@link ProgramCompilationError} */
  run(...args: readonly unknown[]): unknown {
    this.host.check()
    this.#verify()
    const result = this.#draw(args)
    if (!this.#proven) this.#prove()
    return result
  }

  #draw(args: readonly unknown[]): unknown {
    this.host.bindSquare()
    return this.#kernel(...args)
  }

  /** Whether a run has succeeded. */
  get proven(): boolean {
    return this.#proven
  }

  /** Checks the first run only, because the questions wait for the device. */
  #prove(): void {
    const { gl } = this.host
    if (this.#kernel.kernel.context !== gl) throw this.#fault('gpu.js left WebGL for another mode while running')
    const status = gl.checkFramebufferStatus(gl.FRAMEBUFFER)
    const error = gl.getError()
    if (status !== gl.FRAMEBUFFER_COMPLETE)
      throw this.#fault(`its float framebuffer is incomplete (status ${status}); use another backend`)
    if (error !== gl.NO_ERROR) throw this.#fault(`drawing failed with WebGL error ${error}; use another backend`)
    this.#proven = true
  }

  #fault(message: string, cause?: unknown): ProgramCompilationError {
    return new ProgramCompilationError('webgl', this.shown, [message], { cause })
  }

  dispose(): void {
    this.#kernel.destroy()
  }
}
