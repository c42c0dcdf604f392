/** The canvas: the painter that draws on it, its size, and the camera. It knows nothing about simulations. */

import type { Look } from '../scenes/scene.ts'
import { type Camera, cameraOn } from './camera.ts'
import { listen } from './gestures.ts'
import type { Painter, PointArrays, Theme } from './picture.ts'
import { webglPainter } from './points-webgl.ts'
import { type GpuPoints, webgpuPainter } from './points-webgpu.ts'

/** Where the points of a picture are. */
export type PointSource =
  | { readonly kind: 'buffers'; readonly points: GpuPoints }
  | { readonly kind: 'arrays'; readonly arrays: () => PointArrays; readonly edges: Uint32Array<ArrayBuffer> }

/** How a scene looks. */
export interface Staging {
  readonly look: Look
  readonly count: number
  readonly size: number
  readonly fast: number
  readonly box: number
  readonly radius: number
  readonly tilt: number
}

export class Stage {
  camera: Camera | undefined
  theme: Theme = 'dark'
  /** Whether the visitor has moved the camera. */
  held = false
  #painter: Painter | undefined
  #canvas: HTMLCanvasElement | undefined
  #staging: Staging | undefined
  /** Whether the picture is out of date. */
  #stale = true

  constructor(readonly element: HTMLElement) {
    listen(element, {
      deep: () => (this.#staging?.tilt ?? 0) > 0,
      camera: () => this.camera ?? this.#first(),
      moved: (camera) => {
        this.held = true
        this.camera = camera
        this.touch()
      },
      reset: () => this.reset(),
    })
  }

  /** What draws: `WebGPU` or `WebGL2`. */
  get painter(): string {
    return this.#canvas?.dataset.painter ?? 'nothing'
  }

  /** Draws these points from now on. A canvas has one kind of context for its life, so each painter has its own. */
  show(source: PointSource, staging: Staging): void {
    this.#staging = staging
    if (!this.held) this.camera = undefined
    const canvas = document.createElement('canvas')
    const painter =
      source.kind === 'buffers'
        ? webgpuPainter(canvas, source.points)
        : webglPainter(canvas, source.arrays, source.edges)
    canvas.dataset.painter = source.kind === 'buffers' ? 'WebGPU' : 'WebGL2'
    const [old, before] = [this.#painter, this.#canvas]
    this.#painter = painter
    this.#canvas = canvas
    this.touch()
    this.draw()
    this.element.append(canvas)
    before?.remove()
    old?.dispose()
  }

  reset(): void {
    this.held = false
    this.camera = undefined
    this.touch()
  }

  /** Marks the picture as out of date: the next call of `draw` draws. */
  touch(): void {
    this.#stale = true
  }

  draw(): void {
    const [staging, canvas] = [this.#staging, this.#canvas]
    if (!staging || !canvas || !this.#stale) return
    this.#stale = false
    this.camera ??= this.#first()
    const ratio = this.#fit(canvas)
    const { width, height } = canvas
    this.#painter?.draw({ ...staging, camera: this.camera, theme: this.theme, width, height, ratio })
  }

  #first(): Camera {
    const { radius = 1, tilt = 0 } = this.#staging ?? {}
    const { clientWidth, clientHeight } = this.element
    // Wide pages have panels on both sides.
    const free = clientWidth > 760 ? clientWidth - 660 : clientWidth
    return cameraOn(radius, tilt, Math.max(free, 200), clientHeight)
  }

  /** Device pixels, at most two per pixel of the page. */
  #fit(canvas: HTMLCanvasElement): number {
    const ratio = Math.min(devicePixelRatio, 2)
    const width = Math.max(1, Math.round(this.element.clientWidth * ratio))
    const height = Math.max(1, Math.round(this.element.clientHeight * ratio))
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    return ratio
  }
}
