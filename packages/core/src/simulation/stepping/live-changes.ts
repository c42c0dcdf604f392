/**
 * The changes of a running simulation that a caller asks for: other numbers of points, other fixed points, and points that come and go.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { countOf, lowArrays, type PointArrays, widthOf } from '../arrays.ts'
import { boundWith, fixedPoints } from '../bound-simulation.ts'
import { formOf, type Population } from '../changed-arrays.ts'
import { requireMassOfNoise } from '../check-integrator.ts'
import { requireFree, requireNear } from '../constraints/constraints.ts'
import { lowOf } from '../low-parts.ts'
import { boundaryNow } from '../numbers/box.ts'
import { rewritten } from '../snapshot.ts'
import type { ClockedState } from '../state.ts'
import { addedPoints } from './added-points.ts'
import type { LiveState } from './live-state.ts'
import {
  arraysIn,
  listed,
  meeting,
  requireGood,
  requireRoom,
  sameForm,
  stayingBeside,
  withoutPoints,
  withPoints,
} from './points.ts'
import type { Stepper } from './stepper.ts'
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
    await this.#requireHeld(written)
    if (name === 'position' || name === 'velocity') {
      await this.#live.change((stepper) => stepper.points.place(written), { numbers: written.numbers.length })
      return
    }
    // Laws may forbid numbers of an attribute, which a check of all of them finds.
    const now = await this.#live.requireFinite(false)
    const state = rewritten(now, name, merged(now.arrays[name] as FloatArray, written))
    await this.#live.on((stepper) => stepper.points.write(name, state))
    this.#live.keep(state)
  }

  /** @throws RangeError for places that are far from constraints */
  async #requireHeld(written: Written): Promise<void> {
    const { constraints, dimension } = this.#live.described
    if (!constraints || written.name !== 'position') return
    const { distances } = constraints
    const boundary = boundaryNow(constraints.boundary, this.#live.numbers)
    requireNear({ distances, boundary }, merged(await this.#live.read('position'), written), dimension)
  }

  /** Holds other points in place. @throws TypeError, RangeError, and then nothing has changed */
  async fix(given: unknown): Promise<void> {
    const { arrays, integrator, constraints } = this.#live.described
    const points = fixedPoints(given, countOf(this.#live.described))
    requireMassOfNoise(integrator, arrays, points)
    if (constraints) requireFree(constraints, points)
    await this.#live.change((stepper) => stepper.points.fix(points))
    const { fixed: _, ...others } = this.#live.described
    this.#live.describe({ ...others, ...(points.length > 0 && { fixed: points }) })
  }

  /** Adds points behind the others. @returns the index of the first @throws TypeError, RangeError, and then nothing has changed */
  add(points: unknown): Promise<number> | number {
    const before = this.#live.described
    const first = countOf(before)
    const added = addedPoints(before, this.#live.now.parts, points)
    const state = withPoints(before, added)
    requireRoom(state)
    requireGood(added as PointArrays, this.#live.now, this.#live.numbers)
    const numbers = Object.values(added).reduce((sum, { length }) => sum + length, 0)
    const waiting = this.#repopulate(state, { change: { added }, numbers }, () =>
      this.#live.replace((now) => withPoints(now, added)),
    )
    return waiting === undefined ? first : waiting.then(() => first)
  }

  /** Takes points away. @returns the new index of each point, or -1 @throws TypeError, RangeError, and then nothing has changed */
  remove(which: unknown): Promise<Int32Array> | Int32Array {
    return typeof which === 'string' ? this.#removeMeeting(which) : this.#remove(listed(which, this.#count))
  }

  get #count(): number {
    return countOf(this.#live.described)
  }

  async #removeMeeting(condition: string): Promise<Int32Array> {
    const state = this.#live.described
    const read: Record<string, FloatArray> = {}
    for (const name of arraysIn(condition, state)) read[name] = await this.#live.read(name)
    return this.#remove(await meeting(state, condition, read))
  }

  /** @param gone ascending */
  #remove(gone: ArrayLike<number>): Promise<Int32Array> | Int32Array {
    const staying = stayingBeside(gone, this.#count)
    const { kept, places } = staying
    const waiting = this.#repopulate(withoutPoints(this.#live.described, staying), { change: { kept } }, () =>
      this.#live.replace((now) => withoutPoints(now, staying)),
    )
    return waiting === undefined ? places : waiting.then(() => places)
  }

  /**
   * Gives the bodies that merge their numbers, and takes the others away.
   *
   * @param written of the bodies that stay
   * @returns the new index of each point, or -1 @throws TypeError, RangeError, and then nothing has changed
   */
  async merge(written: readonly Written[], gone: readonly number[]): Promise<Int32Array> {
    const { described } = this.#live
    const staying = stayingBeside(listed(gone, countOf(described)), countOf(described))
    const attributes = written.filter((one) => !moves(one))
    const state = withWritten(described, attributes)
    requireGood(bodiesIn(state, written), this.#live.now, this.#live.numbers)
    const apply = async (stepper: Stepper) => {
      for (const one of written)
        if (attributes.includes(one)) await stepper.points.amend(one, state.arrays)
        else await stepper.points.place(one)
    }
    // The log of changes holds the arrays of the state.
    const numbers = Object.values(state.arrays).reduce((sum, { length }) => sum + length, 0)
    await this.#repopulate(
      withoutPoints(state, staying),
      { change: { kept: staying.kept }, numbers, before: apply },
      () => this.#live.replace((now) => withoutPoints(withWritten(now, written), staying)),
    )
    return staying.places
  }

  /** Goes on with another number of points, in place if there is room; undefined if that is done. @param otherwise makes the programs again */
  #repopulate(
    state: ClockedState,
    { change, numbers = 0, before }: Repopulation,
    otherwise: () => Promise<void>,
  ): Promise<void> | undefined {
    const after = boundWith(this.#live.now, state)
    const { described } = this.#live
    const same = sameWidths(state, described) && sameForm(after.parts, this.#live.now.parts)
    const apply = (stepper: Stepper) =>
      before
        ? before(stepper).then(() => stepper.points.repopulate(after, change))
        : stepper.points.repopulate(after, change)
    // A stepper that is made again from a state without points has no room.
    const fits = ({ points }: Stepper) => same && points.roomy && countOf(described) > 0
    const done = this.#live.change(apply, { numbers, after, fits })
    const go = (is: boolean) => (is ? undefined : otherwise())
    return typeof done === 'boolean' ? go(done) : done.then(go)
  }
}

interface Repopulation {
  readonly change: Population
  /** How many numbers of points the change holds. */
  readonly numbers?: number
  /** Changes that belong to it and come first. */
  readonly before?: (stepper: Stepper) => Promise<void>
}

/** The state with other numbers in some arrays. Attributes keep the digits that a device may hold. */
function withWritten(state: ClockedState, written: readonly Written[]): ClockedState {
  const all = written.flatMap((one) => [one, ...lowOf(one, state.arrays)])
  const arrays = all.map((one) => {
    const before = state.arrays[one.name] as FloatArray
    return [one.name, merged(moves(one) ? before : Float64Array.from(before), one)]
  })
  return { ...state, arrays: { ...state.arrays, ...Object.fromEntries(arrays) } }
}

/** The first points tell how long vectors are, and programs are made for that. */
const sameWidths = (one: ClockedState, other: ClockedState): boolean =>
  formOf(one) === formOf(other) || formOf(one).names.every((name) => widthOf(one, name) === widthOf(other, name))

const moves = ({ name }: Written) => Object.entries(lowArrays).flat().includes(name)

/** The bodies that are written, as points by themselves. */
function bodiesIn({ arrays, dimension }: ClockedState, written: readonly Written[]): PointArrays {
  const points = Array.from(written.at(-1)?.points ?? [])
  const count = arrays.position.length / dimension
  const own = Object.entries(arrays).map(([name, array]) => {
    const width = array.length / count
    return [name, Float64Array.from(points.flatMap((point) => [...array.subarray(width * point, width * (point + 1))]))]
  })
  return Object.fromEntries(own)
}
