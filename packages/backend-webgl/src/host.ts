/**
 * An opened WebGL2 context with gpu.js on it: textures in, textures out, and the news of its loss. It knows nothing of
 * points or workloads.
 *
 * One context for each device, and no other: gpu.js would make one per mode just to look at, and grow a canvas to the
 * largest texture, so its own feature tests are passed over and it is handed a plain record for a canvas.
 *
 * @module
 */
import { DeviceLostError, type LossReason } from '@manybody/core'
import { release } from './context.ts'
import type { Driver, DriverClass, DriverTexture } from './driver.ts'
import type { SheetSize } from './layout.ts'

/** A texture of vec4, with its size in texels. */
export interface Sheet extends SheetSize {
  readonly texture: DriverTexture
}

export class GlHost {
  readonly driver: Driver
  readonly lost: Promise<LossReason>
  #lose: (reason: LossReason) => void = () => {}
  #loss: LossReason | undefined
  #disposed = false
  readonly #framebuffer: WebGLFramebuffer | null
  readonly #square: WebGLBuffer | null

  constructor(
    Gpu: DriverClass,
    readonly gl: WebGL2RenderingContext,
  ) {
    this.driver = openDriver(Gpu, gl)
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

  #checkLoss(): void {
    if (this.#disposed || this.#loss || !this.gl.isContextLost()) return
    this.#loss = {
      reason: 'its WebGL context was lost, by a driver reset, a watchdog or too many contexts in the page',
      remedy: 'open the device again; if it happens again, use fewer points per run or another backend',
    }
    this.#lose(this.#loss)
  }

  /**
   * Makes the corners of the drawn square a program's input. gpu.js does so only when it compiles, so that every kernel
   * draws from the buffer of the one compiled last, and from none once that one is destroyed.
   */
  bindSquare(locations: SquareLocations): void {
    const { gl } = this
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#square)
    for (const [location, offset] of locations) {
      gl.enableVertexAttribArray(location)
      gl.vertexAttribPointer(location, 2, gl.FLOAT, false, 0, offset)
    }
  }

  /** The first `length` numbers of a sheet, row by row. */
  read(sheet: Sheet, length: number): Float32Array {
    const { gl } = this
    const rows = Math.ceil(length / (4 * sheet.width))
    const numbers = new Float32Array(4 * sheet.width * rows)
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer)
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, sheet.texture.texture, 0)
    gl.readPixels(0, 0, sheet.width, rows, gl.RGBA, gl.FLOAT, numbers)
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, null, 0)
    this.check()
    return numbers.length === length ? numbers : numbers.slice(0, length)
  }

  /** Resolves when everything submitted so far has finished; the page stays alive meanwhile. */
  async finished(): Promise<void> {
    const { gl } = this
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    gl.flush()
    const start = performance.now()
    try {
      for (;;) {
        this.check()
        if (!fence || gl.clientWaitSync(fence, 0, 0) !== gl.TIMEOUT_EXPIRED) return
        await (performance.now() - start < quickWait ? nextTask() : pause())
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

/** Attributes of a program, with the byte at which each begins in the buffer of corners. */
export type SquareLocations = readonly (readonly [location: number, offset: number])[]

export function squareLocations(gl: WebGL2RenderingContext, program: WebGLProgram): SquareLocations {
  const at = (name: string, offset: number) => [gl.getAttribLocation(program, name), offset] as const
  return [at('aPos', 0), at('aTexCoord', 32)].filter(([location]) => location >= 0)
}

/** gpu.js in an explicit mode on our context. */
function openDriver(Gpu: DriverClass, gl: WebGL2RenderingContext): Driver {
  Gpu.disableValidation()
  try {
    const driver = new Gpu({ mode: 'webgl2' })
    return Object.assign(driver, { context: gl, canvas: { width: 2, height: 2 } })
  } finally {
    Gpu.enableValidation()
  }
}

/** Milliseconds for which a wait asks again with every task, before it leaves the processor to others. */
const quickWait = 2

const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(0)
  })

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))
