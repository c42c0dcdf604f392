/**
 * An opened WebGL context with gpu.js on it: textures in, textures out, and the news of its loss. It knows nothing of
 * points or workloads.
 *
 * One context for each device, and no other: gpu.js would make one per mode just to look at, and grow a canvas to the
 * largest texture, so its own feature tests are passed over and it is handed a plain record for a canvas.
 *
 * @module
 */
import { DeviceLostError, type LossReason } from '@manybody/core'
import { type Dialect, dialects } from '../glsl/dialect.ts'
import type { SheetSize } from '../glsl/layout.ts'
import { type Found, type Gl, release, vec4Format } from './adapter.ts'
import type { Driver, DriverClass, DriverTexture } from './driver.ts'
import { frame, nextTask, pause } from './wait.ts'

/** A texture of vec4, with its size in texels. */
export interface Sheet extends SheetSize {
  readonly texture: DriverTexture
}

/** Where texels lie in a sheet. */
interface Texels extends SheetSize {
  readonly column: number
  readonly row: number
}

/** Bits of two NaN that no computation gives. A result may hold either, having been given it, but not both in one place. */
const marks = [0x7fc0a5a5, 0x7fc05a5a]

export class GlHost {
  readonly gl: Gl
  readonly dialect: Dialect
  readonly driver: Driver
  readonly lost: Promise<LossReason>
  #lose: (reason: LossReason) => void = () => {}
  #loss: LossReason | undefined
  #disposed = false
  readonly #framebuffer: WebGLFramebuffer | null
  readonly #square: WebGLBuffer | null

  constructor(Gpu: DriverClass, { gl, version }: Extract<Found, { gl: unknown }>) {
    this.gl = gl
    this.dialect = dialects[version]
    this.driver = openDriver(Gpu, gl, this.dialect.mode)
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

  /** @throws {@link DeviceLostError}: a lost context answers with zeros, and gpu.js does not say so */
  check(): void {
    if (this.#disposed) throw new Error('Cannot use this WebGL device: it was disposed; open another')
    this.#checkLoss()
    if (this.#loss) throw new DeviceLostError('webgl', this.#loss)
  }

  /** Whether nothing more will come of the context. */
  isOver(): boolean {
    this.#checkLoss()
    return this.#disposed || this.#loss !== undefined
  }

  /** Leaves a context that is as good as lost. */
  giveUp(loss: LossReason): void {
    if (this.#disposed || this.#loss) return
    this.#loss = loss
    this.#lose(loss)
  }

  /** Whether the context gives anything back. Waits for it. */
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
   * Makes the corners of the drawn square the input of what is drawn next. gpu.js does so only when it compiles, so that
   * every kernel draws from the buffer of the one compiled last, and from none once that one is destroyed.
   */
  bindSquare(): void {
    const { gl } = this
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#square)
    squareAttributes.forEach((_, location) => {
      gl.enableVertexAttribArray(location)
      gl.vertexAttribPointer(location, 2, gl.FLOAT, false, 0, 32 * location)
    })
  }

  /** A texture of these numbers; those that it has no number for are 0. */
  upload(numbers: ArrayLike<number>, { width, height }: SheetSize): WebGLTexture {
    const { gl } = this
    const whole = numbers instanceof Float32Array && numbers.length === 4 * width * height
    const data = whole ? numbers : new Float32Array(4 * width * height)
    if (!whole) data.set(numbers)
    const texture = gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, texture)
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.NEAREST],
      [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ] as const)
      gl.texParameteri(gl.TEXTURE_2D, name, value)
    // A context of the caller may be set to turn pictures upside down.
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, 0)
    gl.texImage2D(gl.TEXTURE_2D, 0, vec4Format(gl, this.dialect.version), width, height, 0, gl.RGBA, gl.FLOAT, data)
    return texture
  }

  /** The first `length` numbers of a sheet, row by row. */
  read(sheet: Sheet, length: number): Float32Array {
    const height = Math.ceil(length / (4 * sheet.width))
    const width = height === 1 ? Math.ceil(length / 4) : sheet.width
    const numbers = this.readTexels(sheet, { column: 0, row: 0, width, height })
    return numbers.length === length ? numbers : numbers.slice(0, length)
  }

  /** The numbers of some texels, row by row. @throws {@link DeviceLostError}; Error if the context writes none */
  readTexels(sheet: Sheet, texels: Texels): Float32Array {
    const numbers = new Float32Array(4 * texels.width * texels.height)
    if (numbers.length > 0 && !this.#readInto(numbers, sheet.texture.texture, texels))
      throw new Error(`Cannot read results: WebGL wrote none (error ${this.gl.getError()}); use another backend`)
    this.check()
    return numbers
  }

  /** Whether numbers were written: a context that is lost leaves what was there, without a word. */
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
   * Resolves when everything submitted so far has finished. The page goes on until a frame before the expected end; then
   * a texel is read, as asking again and again takes the processor from rasterisers that run on it, and 3 ms of a short
   * run. WebGL1 can do nothing but read.
   *
   * @param drawn what was drawn last of this work, asked when it is read: other work may go on meanwhile
   * @param milliseconds that the work is expected to last, if that is known
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

  /** What is drawn can be read: reading waits for it. */
  #await(sheet: Sheet | undefined): void {
    if (sheet) this.read(sheet, 1)
    else this.check()
  }

  /** A mark behind everything submitted so far, for `passed`; the device begins at once. WebGL1 has none. */
  fence(): WebGLSync | null {
    if (this.dialect.version === 1) return null
    const gl = this.gl as WebGL2RenderingContext
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    gl.flush()
    return fence
  }

  /**
   * Resolves some milliseconds after the device has passed a fence: for work that has more behind it. The page goes on.
   *
   * @param milliseconds that it is expected to last, if that is known
   * @param stillWaiting called before each question
   */
  async passed(fence: WebGLSync, milliseconds = 0, stillWaiting: () => void = () => {}): Promise<void> {
    const gl = this.gl as WebGL2RenderingContext
    try {
      await pause(Math.max(pollInterval, 0.75 * milliseconds))
      for (;;) {
        this.check()
        stillWaiting()
        const state = gl.clientWaitSync(fence, 0, 0)
        if (state === gl.WAIT_FAILED) throw new Error('Cannot wait for WebGL: waiting failed; use another backend')
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

/** Its two attributes, at their locations in every program. */
export const squareAttributes: readonly string[] = ['aPos', 'aTexCoord']

/** gpu.js in an explicit mode on our context. */
function openDriver(Gpu: DriverClass, gl: Gl, mode: Dialect['mode']): Driver {
  Gpu.disableValidation()
  try {
    return Object.assign(new Gpu({ mode }), { context: gl, canvas: { width: 2, height: 2 } })
  } finally {
    Gpu.enableValidation()
  }
}

/** Milliseconds between questions: each one takes the processor from software rasterisers. */
const pollInterval = 4
