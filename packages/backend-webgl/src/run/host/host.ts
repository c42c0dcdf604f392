/**
 * An opened WebGL context with gpu.js on it: uploads and reads textures, and reports the loss of the context. It knows
 * nothing about points or workloads.
 *
 * Each device has exactly one context. By itself gpu.js would open one per mode for its feature tests, and grow the canvas
 * to the largest texture. So the feature tests are switched off, and gpu.js gets a plain object as its canvas.
 *
 * @module
 */

import type { LossReason } from '@manybody/core'
import { DeviceLostError } from '@manybody/core/backend'
import type { DeviceFacts } from '../../design/facts.ts'
import { rowLength, type SheetSize, type SheetTiles, type Texels } from '../../design/layout.ts'
import { type FoundContext, type Gl, release, vec4Format } from './adapter.ts'
import { type Driver, type DriverClass, type DriverTexture, textureLike } from './gpu-js.ts'
import { frame, nextTask, pause } from './wait.ts'

/** A vec4 texture with its size in texels. */
export interface Sheet extends SheetSize {
  readonly texture: DriverTexture
  /** Whether its largest numbers stand for infinity, as where no term counted. */
  readonly unbounded?: boolean
}

/** Bits of two NaNs that no computation returns. A caller may have passed one in, but one place cannot hold both. */
const marks = [0x7fc0a5a5, 0x7fc05a5a]

export class GlHost {
  readonly gl: Gl
  readonly facts: DeviceFacts
  readonly driver: Driver
  readonly lost: Promise<LossReason>
  #lose: (reason: LossReason) => void = () => {}
  #loss: LossReason | undefined
  #disposed = false
  readonly #framebuffer: WebGLFramebuffer | null
  readonly #square: WebGLBuffer | null

  constructor(Gpu: DriverClass, { gl, facts }: Extract<FoundContext, { gl: unknown }>) {
    this.gl = gl
    this.facts = facts
    this.driver = openDriver(Gpu, gl, facts.version === 2 ? 'webgl2' : 'webgl')
    this.#framebuffer = gl.createFramebuffer()
    this.#square = gl.createBuffer()
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#square)
    gl.bufferData(gl.ARRAY_BUFFER, squareCorners, gl.STATIC_DRAW)
    this.lost = new Promise((resolve) => {
      this.#lose = resolve
    })
    const canvas = gl.canvas as Partial<EventTarget> | undefined
    canvas?.addEventListener?.('webglcontextlost', () => this.#checkLoss())
  }

  /** @throws {@link DeviceLostError} if the context is lost: it then returns zeros, which gpu.js does not notice */
  check(): void {
    if (this.#disposed) throw new Error('Cannot use this WebGL device: it was disposed; open another')
    this.#checkLoss()
    if (this.#loss) throw new DeviceLostError('webgl', this.#loss)
  }

  /** Whether the context is lost or disposed. */
  isOver(): boolean {
    this.#checkLoss()
    return this.#disposed || this.#loss !== undefined
  }

  /** Treats the context as lost, for a reason of ours. */
  giveUp(loss: LossReason): void {
    if (this.#disposed || this.#loss) return
    this.#loss = loss
    this.#lose(loss)
  }

  /** Whether reading from the context works. Waits for it. */
  answers(): boolean {
    const size = { width: 1, height: 1 }
    const texture = this.upload([1, 2, 3, 4], size)
    const read = this.#readInto(new Float32Array(4), texture, { column: 0, row: 0, ...size })
    this.gl.deleteTexture(texture)
    return read
  }

  #checkLoss(): void {
    if (!this.gl.isContextLost()) return
    this.giveUp({
      reason: 'its WebGL context was lost, by a driver reset, a watchdog or too many contexts in the page',
      remedy: 'open the device again; if it happens again, use fewer points per run or another backend',
    })
  }

  /**
   * Binds the corners of the square for the next draw. gpu.js binds them only when it compiles: without this, every kernel
   * would draw from the buffer of the kernel compiled last, which may be destroyed by then.
   */
  bindSquare(): void {
    const { gl } = this
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#square)
    squareAttributes.forEach((_, location) => {
      gl.enableVertexAttribArray(location)
      gl.vertexAttribPointer(location, 2, gl.FLOAT, false, 0, 32 * location)
    })
  }

  /** A texture with these numbers, padded with zeros. */
  upload(numbers: ArrayLike<number>, size: SheetSize): WebGLTexture {
    const length = 4 * size.width * size.height
    const whole = numbers instanceof Float32Array && numbers.length === length
    const data = whole ? numbers : new Float32Array(length)
    if (!whole) data.set(numbers)
    return this.#texture(size, data)
  }

  /** Replaces the numbers of some texels. */
  rewrite({ texture }: Sheet, { column, row, width, height }: Texels, numbers: Float32Array): void {
    const { gl } = this
    gl.bindTexture(gl.TEXTURE_2D, texture.texture)
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, 0)
    gl.texSubImage2D(gl.TEXTURE_2D, 0, column, row, width, height, gl.RGBA, gl.FLOAT, numbers)
  }

  #texture({ width, height }: SheetSize, data: Float32Array | null): WebGLTexture {
    const { gl } = this
    const texture = gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, texture)
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.NEAREST],
      [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ] as const)
      gl.texParameteri(gl.TEXTURE_2D, name, value)
    // The caller's context may be set to flip images.
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, 0)
    gl.texImage2D(gl.TEXTURE_2D, 0, vec4Format(gl, this.facts.version), width, height, 0, gl.RGBA, gl.FLOAT, data)
    return texture
  }

  /** A sheet of these tiles, column after column. */
  sheetOf(drawn: readonly DriverTexture[], size: SheetSize, { across, down }: SheetTiles): Sheet {
    const [width, height] = [size.width / across, size.height / down]
    return this.#copied(
      size,
      drawn.map((texture, n) => ({
        texture,
        ...{ width, height },
        ...{ column: width * Math.floor(n / down), row: height * (n % down) },
      })),
    )
  }

  /** Sheets of equal width, one below the other, and the number of rows from the first of each to the first of the next. */
  stackOf(sheets: readonly Sheet[]): { readonly sheet: Sheet; readonly rows: number } {
    const rows = Math.max(...sheets.map(({ height }) => height))
    const size = { width: rowLength, height: rows * sheets.length }
    const sheet = this.#copied(
      size,
      sheets.map((one, n) => ({ ...one, column: 0, row: rows * n })),
    )
    return { sheet, rows }
  }

  /** A sheet with copies of other sheets. */
  #copied(size: SheetSize, parts: readonly (Sheet & Pick<Texels, 'column' | 'row'>)[]): Sheet {
    const { gl } = this
    const texture = this.#texture(size, null)
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer)
    for (const { texture: from, column, row, width, height } of parts) {
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, from.texture, 0)
      gl.copyTexSubImage2D(gl.TEXTURE_2D, 0, column, row, 0, 0, width, height)
    }
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, null, 0)
    const [first] = parts
    return { texture: textureLike((first as Sheet).texture, texture, size), ...size }
  }

  /** The first `length` numbers of a sheet, row by row. */
  read(sheet: Sheet, length: number): Float32Array {
    const height = Math.ceil(length / (4 * sheet.width))
    const width = height === 1 ? Math.ceil(length / 4) : sheet.width
    const numbers = this.readTexels(sheet, { column: 0, row: 0, width, height })
    return numbers.length === length ? numbers : numbers.slice(0, length)
  }

  /** The numbers of some texels, row by row. @throws {@link DeviceLostError}; Error if WebGL writes nothing */
  readTexels(sheet: Sheet, texels: Texels): Float32Array {
    const numbers = new Float32Array(4 * texels.width * texels.height)
    if (numbers.length > 0 && !this.#readInto(numbers, sheet.texture.texture, texels))
      throw new Error(`Cannot read results: WebGL wrote nothing (error ${this.gl.getError()}); use another backend`)
    this.check()
    return numbers
  }

  /** Whether numbers were written. A lost context leaves the array unchanged and reports no error. */
  #readInto(numbers: Float32Array, texture: WebGLTexture | null, { column, row, width, height }: Texels): boolean {
    const { gl } = this
    const last = new Uint32Array(numbers.buffer, numbers.byteLength - 4)
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer)
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
    const written = marks.some((mark) => {
      last[0] = mark
      gl.readPixels(column, row, width, height, gl.RGBA, gl.FLOAT, numbers)
      return last[0] !== mark
    })
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, null, 0)
    return written
  }

  /**
   * Resolves when everything submitted so far has finished. The page is free until a frame before the expected end. Then
   * this reads a texel, which blocks: polling a fence would cost a short run 3 ms, and take the processor from software
   * rasterisers. WebGL1 has no fences and always reads.
   *
   * @param drawn returns the sheet drawn last; called late, because other work may replace the sheet meanwhile
   * @param milliseconds how long the work is expected to last, if known
   */
  async finished(drawn: () => Sheet | undefined, milliseconds?: number): Promise<void> {
    if (milliseconds !== undefined && milliseconds < frame) return this.#await(drawn())
    const fence = this.fence()
    if (fence === null) {
      this.#await(drawn())
      return nextTask()
    }
    if (milliseconds === undefined || milliseconds > 4 * frame) return this.passed(fence, milliseconds)
    await pause(milliseconds - frame)
    ;(this.gl as WebGL2RenderingContext).deleteSync(fence)
    this.#await(drawn())
  }

  /** Waits for a draw by reading from its result. */
  #await(sheet: Sheet | undefined): void {
    if (sheet) this.read(sheet, 1)
    else this.check()
  }

  /** A fence behind everything submitted so far, for `passed`; the device starts at once. WebGL1 has no fences. */
  fence(): WebGLSync | null {
    if (this.facts.version === 1) return null
    const gl = this.gl as WebGL2RenderingContext
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    gl.flush()
    return fence
  }

  /**
   * Resolves some milliseconds after the device has passed a fence, without blocking the page. Use it if more work follows
   * the fence, so that the delay costs nothing.
   *
   * @param milliseconds how long the work is expected to last, if known
   * @param stillWaiting called before each poll
   */
  async passed(fence: WebGLSync, milliseconds = 0, stillWaiting: () => void = () => {}): Promise<void> {
    const gl = this.gl as WebGL2RenderingContext
    try {
      await pause(Math.max(pollInterval, 0.75 * milliseconds))
      for (;;) {
        this.check()
        stillWaiting()
        const state = gl.clientWaitSync(fence, 0, 0)
        if (state === gl.WAIT_FAILED)
          throw new Error('Cannot wait for WebGL: its driver rejected a fence; use another backend')
        if (state !== gl.TIMEOUT_EXPIRED) return
        await pause(pollInterval)
      }
    } finally {
      gl.deleteSync(fence)
    }
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    await this.driver.destroy()
    release(this.gl)
  }
}

/** Corners in clip space, then in texture space, as the vertex shader of gpu.js reads them: a triangle strip. */
const squareCorners: Float32Array = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1])

/** The two attributes of the square, in the order of their locations in every program. */
export const squareAttributes: readonly string[] = ['aPos', 'aTexCoord']

/** Opens gpu.js in this mode on our context. */
function openDriver(Gpu: DriverClass, gl: Gl, mode: 'webgl' | 'webgl2'): Driver {
  Gpu.disableValidation()
  try {
    return Object.assign(new Gpu({ mode }), { context: gl, canvas: { width: 2, height: 2 } })
  } finally {
    Gpu.enableValidation()
  }
}

/** Milliseconds between polls: each poll takes the processor from software rasterisers. */
const pollInterval = 4
