/**
 * Steps of 15th order with the nodes of Gauss and Radau, in float64 on the host. It predicts the force in a step as a polynomial, and
 * improves it with forces at seven places until nothing changes; the length of each step follows from it. Sums keep their rounding errors.
 *
 * Points and times go to a device only to compute forces.
 *
 * @source H. Rein and D. S. Spiegel, Mon. Not. R. Astron. Soc. 446 (2015) 1424: IAS15
 * @module
 */
import {
  addTo,
  type Course,
  continued,
  degree,
  differencesOf,
  improve,
  nodes,
  noTerms,
  type Series,
} from './polynomials.ts'
import { growthAfter, mostChange } from './step-length.ts'

/** Forces on points at a moment. The time is the sum of two numbers. */
export interface HostForces {
  /** Computes accelerations, with the numbers of these arrays. */
  at(time: number, rest: number, position: Float64Array, velocity: Float64Array, into: Float64Array): Promise<void>
}

/** A step goes through its nodes at most so many times. */
const mostRounds = 12

/** Forces are right once they change by less than this share. */
const settled = 1e-16

/** A prediction for a step that is so many times as long as the one before is worse than none. */
const longestPrediction = 20

export interface RadauStart {
  readonly dimension: number
  readonly epsilon: number
  readonly time: readonly [number, number]
  readonly position: Float64Array
  readonly velocity: Float64Array
  readonly acceleration: Float64Array
  /** The numbers of {@link RadauSteps.memory}. */
  readonly memory: Float64Array
}

/** How many numbers the memory has. @param length of the array of positions */
export const memoryLength = (length: number): number => 2 + (2 + 2 * degree) * length

export class RadauSteps {
  /** The time is the sum of two numbers. */
  readonly time: [number, number]
  /** The length of the latest step; 0 before the first. */
  latest: number
  /** The length of the next one. */
  next: number
  /** No step goes beyond this time. */
  until: number | undefined
  readonly #forces: HostForces
  readonly #start: RadauStart
  readonly #lostPlaces: Float64Array
  readonly #lostSpeeds: Float64Array
  /** The force in the latest step. */
  readonly #known: Series
  /** That force as it was predicted. */
  readonly #expected: Series
  readonly #course: Course
  readonly #prediction: Series
  readonly #place: Float64Array
  readonly #speed: Float64Array
  readonly #force: Float64Array

  constructor(forces: HostForces, start: RadauStart) {
    const { length } = start.position
    this.#forces = forces
    this.#start = start
    this.time = [...start.time]
    const [next = 0, latest = 0] = start.memory
    ;[this.next, this.latest] = [next, latest]
    const partAt = (n: number) => start.memory.slice(2 + n * length, 2 + (n + 1) * length)
    this.#lostPlaces = partAt(0)
    this.#lostSpeeds = partAt(1)
    this.#known = Array.from({ length: degree }, (_, m) => partAt(2 + m))
    this.#expected = Array.from({ length: degree }, (_, m) => partAt(2 + degree + m))
    this.#course = { terms: noTerms(length), differences: noTerms(length), lost: noTerms(length) }
    this.#prediction = noTerms(length)
    this.#place = new Float64Array(length)
    this.#speed = new Float64Array(length)
    this.#force = new Float64Array(length)
  }

  /** What a run continues from, beside positions, velocities and accelerations. */
  get memory(): Float64Array {
    const parts = [this.#lostPlaces, this.#lostSpeeds, ...this.#known, ...this.#expected]
    return Float64Array.from([this.next, this.latest, ...parts.flatMap((part) => [...part])])
  }

  /** Takes a step. */
  async step(): Promise<void> {
    const { acceleration, dimension, epsilon } = this.#start
    const planned = this.next
    const left = this.until === undefined ? planned : this.until - this.time[0] - this.time[1]
    const lands = Math.abs(left) < Math.abs(planned)
    for (let dt = lands ? left : planned; ; ) {
      await this.#findForces(dt)
      const growth = growthAfter(acceleration, this.#course.terms, dimension, epsilon)
      if (growth < mostChange) {
        dt *= growth
        this.#requireLasting(dt)
        continue
      }
      await this.#take(dt)
      this.next = dt * Math.min(growth, 1 / mostChange)
      // A step that was short only to end at a time says little about the next.
      if (lands && Math.abs(this.next) < Math.abs(planned)) this.next = planned
      return
    }
  }

  /** @throws RangeError for a step that the time does not feel */
  #requireLasting(dt: number): void {
    const [time] = this.time
    if (Math.abs(dt) > 2 ** -80 * Math.max(Math.abs(time), Math.abs(this.#start.memory[0] as number))) return
    throw new RangeError(
      `Cannot continue: after time ${time}, steps would be shorter than ${Math.abs(dt).toExponential(1)}, because points collide; give the law a softening`,
    )
  }

  /** Finds the force in the step that begins now. */
  async #findForces(dt: number): Promise<void> {
    const { acceleration: start } = this.#start
    const course = this.#course
    const force = this.#force
    this.#predict(dt)
    differencesOf(course.terms, course.differences)
    for (const lost of course.lost) lost.fill(0)
    let before = 2
    for (let round = 1; round <= mostRounds; round++) {
      let [gained, largest] = [0, 0]
      for (let node = 1; node < nodes.length; node++) {
        const share = nodes[node] as number
        this.#goTo(share, dt)
        const now = later(this.time, share * dt)
        await this.#forces.at(now[0], now[1], this.#place, this.#speed, force)
        if (node === nodes.length - 1) for (const a of force) largest = Math.max(largest, Math.abs(a))
        for (let k = 0; k < force.length; k++) force[k] = (force[k] as number) - (start[k] as number)
        gained = improve(course, node, force)
      }
      const change = largest > 0 ? gained / largest : 0
      if (change < settled || (round > 2 && change >= before)) return
      before = change
    }
  }

  /** Begins with the force of the latest step, and with the error that its own prediction had. */
  #predict(dt: number): void {
    const ratio = this.latest === 0 ? 0 : dt / this.latest
    const { terms } = this.#course
    const usable = ratio !== 0 && Math.abs(ratio) <= longestPrediction
    for (const term of terms) term.fill(0)
    for (const term of this.#prediction) term.fill(0)
    if (!usable) return
    continued(this.#known, ratio, this.#prediction)
    for (let m = 0; m < degree; m++) {
      const [term, known, expected, predicted] = [terms, this.#known, this.#expected, this.#prediction].map(
        (all) => all[m] as Float64Array,
      ) as [Float64Array, Float64Array, Float64Array, Float64Array]
      for (let k = 0; k < term.length; k++)
        term[k] = (predicted[k] as number) + ((known[k] as number) - (expected[k] as number))
    }
  }

  /** Places and velocities at a fraction of the step. */
  #goTo(share: number, dt: number): void {
    const { position, velocity, acceleration } = this.#start
    const { terms } = this.#course
    const span = share * dt
    for (let k = 0; k < position.length; k++) {
      let [way, gain] = [0, 0]
      for (let m = degree - 1; m >= 0; m--) {
        const term = (terms[m] as Float64Array)[k] as number
        way = share * (way + term / ((m + 2) * (m + 3)))
        gain = share * (gain + term / (m + 2))
      }
      const [v, a] = [velocity[k] as number, acceleration[k] as number]
      this.#place[k] = (position[k] as number) + (span * (v + span * (way + a / 2)) - (this.#lostPlaces[k] as number))
      this.#speed[k] = v + (span * (gain + a) - (this.#lostSpeeds[k] as number))
    }
  }

  /** Goes to the end of the step. */
  async #take(dt: number): Promise<void> {
    const { position, velocity, acceleration } = this.#start
    const { terms } = this.#course
    for (let k = 0; k < position.length; k++) {
      // From the smallest to the largest.
      for (let m = degree - 1; m >= 0; m--) {
        const term = (terms[m] as Float64Array)[k] as number
        addTo(position, this.#lostPlaces, k, (term / ((m + 2) * (m + 3))) * dt ** 2)
      }
      addTo(position, this.#lostPlaces, k, ((acceleration[k] as number) / 2) * dt ** 2)
      addTo(position, this.#lostPlaces, k, (velocity[k] as number) * dt)
      addTo(position, this.#lostPlaces, k, -(this.#lostSpeeds[k] as number) * dt)
      for (let m = degree - 1; m >= 0; m--)
        addTo(velocity, this.#lostSpeeds, k, (((terms[m] as Float64Array)[k] as number) / (m + 2)) * dt)
      addTo(velocity, this.#lostSpeeds, k, (acceleration[k] as number) * dt)
    }
    for (let m = 0; m < degree; m++) {
      ;(this.#known[m] as Float64Array).set(terms[m] as Float64Array)
      ;(this.#expected[m] as Float64Array).set(this.#prediction[m] as Float64Array)
    }
    this.latest = dt
    ;[this.time[0], this.time[1]] = later(this.time, dt)
    await this.#forces.at(this.time[0], this.time[1], position, velocity, acceleration)
  }
}

/** A time that is the sum of two numbers, and later by a span. */
function later([time, rest]: readonly [number, number], span: number): [number, number] {
  const further = rest + span
  const next = time + further
  return [next, further - (next - time)]
}
