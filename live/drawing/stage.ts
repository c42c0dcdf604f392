/** The place of the picture on the page: its canvases, its size, and the camera that the visitor moves. It draws nothing. */

import type { Camera } from './camera.ts'
import { listen } from './gestures.ts'
import type { Theme } from './picture.ts'
import { firstCamera, type Staging, type View } from './staging.ts'

/** Milliseconds until a picture drawn in a worker reaches the page. */
const arrival = 60

export class Stage {
  /** The camera that the visitor has moved; undefined shows the whole scene. */
  camera: Camera | undefined
  #theme: Theme = 'dark'
  #staging: Staging | undefined

  /** @param changed called with each new view */
  constructor(
    readonly element: HTMLElement,
    readonly changed: (view: View) => void,
  ) {
    listen(element, {
      deep: () => (this.#staging?.tilt ?? 0) > 0,
      camera: () => this.camera ?? firstCamera(this.#staging ?? { radius: 1, tilt: 0 }, this.view),
      moved: (camera) => this.look(camera),
      reset: () => this.look(undefined),
    })
    new ResizeObserver(() => this.changed(this.view)).observe(element)
  }

  set theme(theme: Theme) {
    this.#theme = theme
    this.changed(this.view)
  }

  /** The scene. The camera shows all of it unless the visitor has moved the camera. */
  set staging(staging: Staging) {
    this.#staging = staging
  }

  look(camera: Camera | undefined): void {
    this.camera = camera
    this.changed(this.view)
  }

  get view(): View {
    const { clientWidth: width, clientHeight: height } = this.element
    // At most two device pixels per pixel of the page.
    return { camera: this.camera, theme: this.#theme, width, height, ratio: Math.min(devicePixelRatio, 2) }
  }

  /** The painter: `WebGPU` or `WebGL2`. */
  get painter(): string {
    return this.element.querySelector<HTMLElement>('canvas[data-painter]')?.dataset.painter ?? 'nothing'
  }

  /** A new canvas below the visible ones. */
  canvas(): HTMLCanvasElement {
    // Removes a canvas with a painter that could not begin.
    this.element.querySelector('canvas:not([data-painter])')?.remove()
    const canvas = document.createElement('canvas')
    this.element.prepend(canvas)
    return canvas
  }

  /** The newest canvas has its first picture: removes the others. */
  async drawn(painter: string): Promise<void> {
    const newest = this.element.querySelector<HTMLCanvasElement>('canvas:not([data-painter])')
    if (!newest) return
    newest.dataset.painter = painter
    const others = [...this.element.children].filter((canvas) => canvas !== newest)
    if (others.length > 0) await new Promise((resolve) => setTimeout(resolve, arrival))
    for (const canvas of others) canvas.remove()
  }
}
