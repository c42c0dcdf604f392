/** How a scene looks before anybody moves the camera, and what of the picture the page decides. Numbers only. */

import type { Setup } from '../running/setup.ts'
import type { Look } from '../scenes/scene.ts'
import { type Camera, cameraOn } from './camera.ts'
import type { Theme } from './picture.ts'

export interface Staging {
  readonly look: Look
  readonly count: number
  readonly size: number
  readonly fast: number
  readonly box: number
  readonly radius: number
  readonly tilt: number
}

export const stagingOf = ({ scene, count }: Setup): Staging => ({
  ...{ look: scene.look, size: scene.size, fast: scene.fast(count), tilt: scene.tilt, count },
  ...{ box: scene.box?.(count) ?? 0, radius: scene.radius(count) },
})

export interface View {
  /** The camera that the visitor has moved; undefined shows the whole scene. */
  readonly camera: Camera | undefined
  readonly theme: Theme
  /** Pixels of the page. */
  readonly width: number
  readonly height: number
  /** Device pixels per pixel of the page. */
  readonly ratio: number
}

/** The camera that shows the whole scene. */
export function firstCamera({ radius, tilt }: Pick<Staging, 'radius' | 'tilt'>, { width, height }: View): Camera {
  // Wide pages have panels on both sides.
  const free = width > 760 ? width - 660 : width
  return cameraOn(radius, tilt, Math.max(free, 200), height)
}
