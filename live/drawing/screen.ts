/** A screen: the painter of the current points, its canvas and its view. It runs in a worker, or on the page's thread. */

import { Changes } from '../running/changes.ts'
import type { Painter, PointArrays } from './picture.ts'
import { webglPainter } from './points-webgl.ts'
import { type GpuPoints, webgpuPainter } from './points-webgpu.ts'
import { firstCamera, type Staging, shiftOf, type View } from './staging.ts'

/** The place of a picture's points. */
export type PointSource =
  | { readonly kind: 'buffers'; readonly points: GpuPoints }
  | { readonly kind: 'arrays'; readonly arrays: () => PointArrays; readonly edges: Uint32Array<ArrayBuffer> }

export type Canvas = HTMLCanvasElement | OffscreenCanvas

/** The canvases that the page provides for a screen. */
export interface Frame {
  /** A new canvas, below the visible ones. */
  canvas(): Canvas | Promise<Canvas>
  /** Called when the newest canvas has its first picture. @returns when the page no longer shows the others */
  drawn(painter: string): void | Promise<void>
}

export class Screen {
  #view: View = { camera: undefined, theme: 'dark', width: 1, height: 1, ratio: 1 }
  #shown: { readonly canvas: Canvas; readonly painter: Painter; readonly staging: Staging } | undefined
  readonly #turns = new Changes()
  /** Whether the picture is out of date. */
  #stale = true

  constructor(readonly frame: Frame) {}

  set view(view: View) {
    this.#view = view
    this.touch()
  }

  /** Draws these points from now on. A canvas has one kind of context for its life, so each painter has its own canvas. */
  show(source: PointSource, staging: Staging): Promise<void> {
    return this.#turns.next(async () => {
      const canvas = await this.frame.canvas()
      const painter =
        source.kind === 'buffers'
          ? webgpuPainter(canvas, source.points)
          : webglPainter(canvas, source.arrays, source.edges)
      const before = this.#shown?.painter
      this.#shown = { canvas, painter, staging }
      this.touch()
      this.draw()
      const replaced = async () => {
        await this.frame.drawn(source.kind === 'buffers' ? 'WebGPU' : 'WebGL2')
        before?.dispose()
      }
      void replaced()
    })
  }

  /** Marks the picture as out of date: the next call of `draw` draws. */
  touch(): void {
    this.#stale = true
  }

  draw(): void {
    if (!this.#shown || !this.#stale) return
    this.#stale = false
    const { canvas, painter, staging } = this.#shown
    const { theme, ratio, camera = firstCamera(staging, this.#view) } = this.#view
    const [width, height] = [this.#view.width, this.#view.height].map((n) => Math.max(1, Math.round(n * ratio)))
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    const shift = ratio * shiftOf(this.#view)
    painter.draw({ ...staging, camera, theme, width: canvas.width, height: canvas.height, shift, ratio })
  }
}
