/**
 * A camera that turns about a point: it converts angles and a distance to the matrix for the shaders. No events, no drawing.
 */

export interface Camera {
  /** The point in the middle of the picture. */
  readonly target: readonly [number, number, number]
  readonly distance: number
  /** Turn about the z axis, radians. */
  readonly turn: number
  /** Angle from the z axis, radians: 0 looks straight down. */
  readonly tilt: number
}

/** Tangent of half the vertical opening. */
const opening = Math.tan(Math.PI / 8)

/** The camera that shows a whole ball in a picture of this shape. */
export function cameraOn(radius: number, tilt: number, width: number, height: number): Camera {
  const narrow = Math.min(1, width / height)
  return { target: [0, 0, 0], distance: radius / opening / narrow, turn: 0.5 * Math.sign(tilt), tilt }
}

/** The size of a length at the target, in pixels. */
export const pixelsPerLength = ({ distance }: Camera, height: number): number => height / (2 * opening * distance)

/** Directions of the picture in space: to the right, upwards, and towards the viewer. */
function axesOf({ turn, tilt }: Camera) {
  const [cosTurn, sinTurn, cosTilt, sinTilt] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)]
  return {
    right: [cosTurn, sinTurn, 0],
    up: [-sinTurn * cosTilt, cosTurn * cosTilt, sinTilt],
    back: [sinTurn * sinTilt, -cosTurn * sinTilt, cosTilt],
  } as const
}

/**
 * Perspective times view, column by column. Depth goes from 0 to 1 as in WebGPU, or from -1 to 1 as in WebGL.
 *
 * @param shift how many pixels the target is to the right of the middle of the picture
 */
export function matrixOf(
  camera: Camera,
  { width, height, shift }: { readonly width: number; readonly height: number; readonly shift: number },
  depth: 'webgpu' | 'webgl',
): Float32Array<ArrayBuffer> {
  const { right, up, back } = axesOf(camera)
  const eye = camera.target.map((x, axis) => x + camera.distance * (back[axis] ?? 0))
  const along = (axis: readonly number[]) => -axis.reduce((sum, a, n) => sum + a * (eye[n] ?? 0), 0)
  const [near, far] = [camera.distance / 50, camera.distance * 20]
  const [sx, sy] = [height / width / opening, 1 / opening]
  const aside = (2 * shift) / width
  const [a, b] =
    depth === 'webgpu'
      ? [far / (near - far), (near * far) / (near - far)]
      : [(far + near) / (near - far), (2 * near * far) / (near - far)]
  const matrix = new Float32Array(16)
  for (let axis = 0; axis < 3; axis++) {
    const [r = 0, u = 0, k = 0] = [right[axis], up[axis], back[axis]]
    matrix.set([sx * r - aside * k, sy * u, a * k, -k], 4 * axis)
  }
  const away = along(back)
  matrix.set([sx * along(right) - aside * away, sy * along(up), a * away + b, -away], 12)
  return matrix
}

/** The camera, moved by pixels in the plane of the picture. */
export function panned(camera: Camera, x: number, y: number, height: number): Camera {
  const { right, up } = axesOf(camera)
  const length = 1 / pixelsPerLength(camera, height)
  const at = (axis: 0 | 1 | 2) => camera.target[axis] - length * (x * right[axis] - y * up[axis])
  return { ...camera, target: [at(0), at(1), at(2)] }
}

export const orbited = (camera: Camera, x: number, y: number): Camera => ({
  ...camera,
  turn: camera.turn - x * 0.006,
  tilt: Math.min(Math.max(camera.tilt - y * 0.006, 0.01), Math.PI - 0.01),
})

export const zoomed = (camera: Camera, factor: number): Camera => ({
  ...camera,
  distance: Math.min(Math.max(camera.distance * factor, 1e-3), 1e5),
})
