/** The first view of a scene, before anybody moves the camera, and the settings of the picture that the page decides. Numbers only. */

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

/** Pixels that the panels of a wide page cover at the left and at the right. */
function covered({ width }: View): readonly [number, number] {
  return width > 760 ? [356, 284] : [0, 0]
}

/** The camera that shows the whole scene between the panels. */
export function firstCamera({ radius, tilt }: Pick<Staging, 'radius' | 'tilt'>, view: View): Camera {
  const [left, right] = covered(view)
  return cameraOn(radius, tilt, Math.max(view.width - left - right, 200), view.height)
}

/** Pixels from the middle of the page to the middle between the panels. */
export function shiftOf(view: View): number {
  const [left, right] = covered(view)
  return (left - right) / 2
}
