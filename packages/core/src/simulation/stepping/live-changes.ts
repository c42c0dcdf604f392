/**
 * The changes of a running simulation that a caller asks for: other numbers of points, other fixed points, and points that come and go.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { type PointArrays, vectorsOf } from '../arrays.ts'
import { requireMassOfNoise } from '../check-integrator.ts'
import { rewritten } from '../snapshot.ts'
import { boundWith, type ClockedState, fixedPoints } from '../state.ts'
import type { LiveState } from './live-state.ts'
import { arraysIn, placesWithout, requireGood, requireRoom, sameForm, withoutPoints, withPoints } from './points.ts'
import { type Population, pointsFrom, stretchesOf } from './population.ts'
import { merged, requireStill, type Written } from './written.ts'

export class LiveChanges {
  readonly #live: LiveState

  constructor(live: LiveState) {
    this.#live = live
  }

  /** Replaces numbers of points. @throws TypeError, RangeError, and then nothing has changed */
  async write(written: Written): Promise<void> {
    const { name } = written
    if (name === 'velocity') requireStill(written, this.#live.described.fixed)
    if (name === 'position' || name === 'velocity')
      return this.#live.change((stepper) => stepper.place(written), { numbers: written.numbers.length })
    // Laws may forbid numbers of an attribute, which a check of all of them finds.
    const now = await this.#live.requireFinite(false)
    const state = rewritten(now, name, merged(now.arrays[name] as FloatArray, written))
    await this.#live.on((stepper) => stepper.write(name, state))
    this.#live.keep(state)
  }

  /** Holds other points in place. @throws TypeError, RangeError, and then nothing has changed */
  async fix(given: unknown): Promise<void> {
    const { arrays, dimension, integrator } = this.#live.described
    const points = fixedPoints(given, arrays.position.length / dimension)
    requireMassOfNoise(integrator, arrays, points)
    await this.#live.change((stepper) => stepper.fix(points))
    const { fixed: _, ...others } = this.#live.described
    this.#live.describe({ ...others, ...(points.length > 0 && { fixed: points }) })
  }

  /** Adds points behind the others. @returns the index of the first @throws TypeError, RangeError, and then nothing has changed */
  async add(points: unknown): Promise<number> {
    const before = this.#live.described
    const { dimension } = before
    const first = before.arrays.position.length / dimension
    const state = withPoints(before, points)
    requireRoom(state)
    const added = pointsFrom(state.arrays, first, { vectors: vectorsOf(before.arrays), dimension })
    requireGood(added as PointArrays, this.#live.now)
    await this.#repopulate(state, { added }, () => this.#live.replace((now) => withPoints(now, points)))
    return first
  }

  /** Takes points away. @returns the new index of each point, or -1 @throws TypeError, RangeError, and then nothing has changed */
  async remove(which: unknown): Promise<Int32Array> {
    const state = this.#live.described
    const read: Record<string, FloatArray> = {}
    if (typeof which === 'string') for (const name of arraysIn(which, state)) read[name] = await this.#live.read(name)
    const places = await placesWithout({ ...state, arrays: { ...state.arrays, ...read } }, which)
    const change = { kept: stretchesOf(places) }
    await this.#repopulate(withoutPoints(state, places), change, () =>
      this.#live.replace((now) => withoutPoints(now, places)),
    )
    return places
  }

  /** Goes on with another number of points, in place if there is room. @param otherwise makes the programs again */
  async #repopulate(state: ClockedState, change: Population, otherwise: () => Promise<void>): Promise<void> {
    const after = boundWith(this.#live.now, state)
    const inPlace =
      sameForm(after.parts, this.#live.now.parts) && (await this.#live.on(async (stepper) => stepper.roomy))
    if (!inPlace) return otherwise()
    const numbers = 'added' in change ? Object.values(change.added).reduce((sum, { length }) => sum + length, 0) : 0
    await this.#live.change((stepper) => stepper.repopulate(after, change), { numbers, after })
  }
}
