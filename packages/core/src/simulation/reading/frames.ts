/**
 * A simulation as a sequence of frames: some steps, then some arrays of one moment.
 *
 * @module
 */
import { finite, flag, listOf, onlyNamed, positive, whileRunning, whole } from '../../ground/checks.ts'
import type { Floats, Precision } from '../../ground/precision.ts'
import type { Boundary } from '../../problem/workloads/domain.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import { arrayNamed } from '../arrays.ts'
import type { SimulationState } from '../state.ts'

export interface FrameOptions<Name extends string = string> {
  /** Steps before each frame, 1 by default. */
  readonly every?: number
  /** The time from one frame to the next, instead of a number of steps. Adaptive steps meet it, too. */
  readonly interval?: number
  /** The arrays to read, as for `simulation.read`: `['position']` by default. */
  readonly fields?: readonly Name[]
  /** Whether frames share their arrays, so that each frame overwrites the one before; by default, every frame has new arrays. */
  readonly reuse?: boolean
  /**
   * Whether the device takes the next `every` steps while the loop's body works on a frame; not by default. Numbers that the body writes
   * then take effect after these steps, and a loop that ends is `every` steps ahead of its last frame.
   */
  readonly ahead?: boolean
  /** Ends the frames with its reason. */
  readonly signal?: AbortSignal
}

/** The fields by name, with the steps taken and the time when they were read, the dimension of the points, and their box then. */
export type Frame<P extends Precision = 'f32', Name extends string = string> = {
  readonly steps: number
  readonly time: number
  readonly dimension: Dimension
  /** A barostat changes it from frame to frame. */
  readonly boundary: Boundary
} & { readonly [K in Name]: Floats<P> }

/** @param backwards whether time runs so @throws TypeError, RangeError before anything moves */
export function checkedFrames<Name extends string>(
  options: FrameOptions<Name>,
  state: SimulationState,
  backwards: boolean,
): Required<Omit<FrameOptions<Name>, 'signal' | 'interval'>> & Pick<FrameOptions, 'signal' | 'interval'> {
  onlyNamed(options, 'option of frames', ['every', 'interval', 'fields', 'reuse', 'ahead', 'signal'], {
    ...whileRunning,
    reuse: flag,
    ahead: flag,
  })
  const { every = 1, fields = ['position' as Name], reuse = false, ahead = false, ...rest } = options
  whole(every, 'every', 1)
  if (options.interval !== undefined) {
    if (options.every !== undefined)
      throw new TypeError('"every" counts steps between frames; leave it out or interval')
    if (backwards) finite(-options.interval, '-interval', Number.MIN_VALUE)
    else positive(options.interval, 'interval')
  }
  listOf(fields, 'fields', 'names')
  for (const name of fields) {
    arrayNamed(name, state)
    if (name === 'steps' || name === 'time' || name === 'boundary')
      throw new TypeError(`"${name}" of a frame belongs to the simulation; read the attribute with simulation.read`)
  }
  return { every, fields: [...fields], reuse, ahead, ...rest }
}
