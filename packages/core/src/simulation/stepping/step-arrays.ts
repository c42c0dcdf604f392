/**
 * Changes of the arrays of a simulation on one device: other numbers, other fixed points, and points that come and go. `held-arrays.ts` makes
 * the arrays.
 *
 * @module
 */
import type { DeviceBuffer } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { componentIn } from '../../problem/workloads/components.ts'
import { cutoffReads } from '../../problem/workloads/cutoff.ts'
import { countOf, moving, type PointArrays } from '../arrays.ts'
import type { Population } from '../changed-arrays.ts'
import { workNames } from '../forces/work-names.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import type { BoundSimulation, SimulationState } from '../state.ts'
import { fill } from './buffers.ts'
import { clockNames } from './clocks/adaptive-clock.ts'
import type { Clock } from './clocks/clock.ts'
import { EndArrays } from './end-arrays.ts'
import { HeldArrays } from './held-arrays.ts'
import { givenByForces } from './outcomes.ts'
import { lengthened, repopulated, resized } from './population.ts'

export class StepArrays extends HeldArrays {
  /** Takes other numbers. Stages read them once they are made again. @param state with the attributes of now */
  async renumber(numbers: SimulationNumbers, { arrays, steps }: SimulationState): Promise<void> {
    const before = this.numbers
    this.numbers = numbers
    await this.ends.renumber(before, { numbers, arrays })
    if (this.work[workNames.step] && numbers.clock !== before.clock)
      await this.#rewrite({ [workNames.step]: new Float64Array(this.count).fill(steps - numbers.clock.steps) })
  }

  /** The arrays of the host, which equal those of the device where it writes none. */
  get known(): Readonly<Record<string, FloatArray>> {
    const { arrays } = this.state
    return { ...arrays, ...this.componentsOf(arrays) }
  }

  /** Whether pairs are looked for farther or less far if this attribute changes. */
  limitsReach(name: string): boolean {
    return this.parts.sums.some(({ workload }) => {
      const read = cutoffReads(workload).map((one) => this.components.get(one)?.vector ?? one)
      return read.includes(name)
    })
  }

  /** Whether points have the time. */
  get tellsTime(): boolean {
    return this.work[workNames.time] !== undefined
  }

  /** Sets the time of an adaptive clock, which is the sum of two numbers. */
  async setTime(time: number, rest: number): Promise<void> {
    await this.single[clockNames.time]?.write(Float64Array.of(time))
    await this.single[clockNames.rest]?.write(Float64Array.of(rest))
    const { time: told, rest: lost } = workNames
    if (!this.tellsTime) return
    await this.#rewrite({
      [told]: new Float64Array(this.count).fill(time),
      [lost]: new Float64Array(this.count).fill(rest),
    })
  }

  /** Holds other points in place. Their streams of random numbers end, and those of points that were held begin. */
  async fix(fixed: readonly number[], steps: number): Promise<void> {
    const numbers = { [workNames.mobile]: this.mobile(fixed), ...this.randomStates(steps, fixed) }
    const fresh = Object.entries(numbers).filter(([name]) => !this.work[name])
    await this.#rewrite(numbers)
    await fill(this.device, this.work, Object.fromEntries(fresh), () => this.capacity)
  }

  /**
   * Takes another number of points in place; undefined if that is done.
   *
   * @param bound with the arrays of the host after the change
   * @param clock the clock of now
   * @param showsForces whether somebody may read the forces before they are computed
   */
  repopulate(
    { state, parts, reads }: BoundSimulation,
    change: Population,
    { clock, showsForces }: { readonly clock: Clock; readonly showsForces: boolean },
  ): Promise<void> | undefined {
    const counts = { before: this.count, now: countOf(state) }
    this.count = counts.now
    this.state = state
    this.parts = parts
    this.shapes.reads = reads
    const lasting = []
    for (const name in this.points) {
      if (!showsForces && givenByForces(name, state)) continue
      lasting.push({ name, buffer: this.points[name] as DeviceBuffer, width: this.widthOf(name) })
    }
    const waiting = repopulated(lasting, change, counts)
    const timed = Object.keys(clock.ofPoints).length > 0
    const others = timed || this.work[workNames.mobile] || state.integrator.random || this.ends.links.length > 0
    return waiting || others ? this.#repopulateWork(waiting, counts, clock) : undefined
  }

  /** The same with the arrays beside those of the points. */
  async #repopulateWork(
    waiting: Promise<unknown> | undefined,
    counts: { readonly before: number; readonly now: number },
    clock: Clock,
  ): Promise<void> {
    await waiting
    const { steps, fixed = [], dimension, arrays } = this.state
    const come = Math.max(0, counts.now - counts.before)
    const told = Object.entries(clock.ofPoints).map(([name, at]) => [name, new Float64Array(come).fill(at)])
    const held = this.work[workNames.mobile] !== undefined
    // The noise of a point belongs to its index.
    const fresh = { ...Object.fromEntries(told), ...(!held && this.randomStates(steps, fixed, counts.before)) }
    for (const [name, numbers] of Object.entries<FloatArray>(fresh))
      await lengthened(this.work[name] as DeviceBuffer, numbers, counts, 1)
    if (held) await this.#rewrite({ [workNames.mobile]: this.mobile(fixed), ...this.randomStates(steps, fixed) })
    if (this.ends.links.length === 0) return
    this.ends.dispose()
    this.ends = new EndArrays(this.device, this.parts, this.count)
    await this.ends.allocate(dimension, { numbers: this.numbers, arrays })
  }

  /** Gives the arrays that are written before anybody reads them the length for the points of now. */
  async resize(): Promise<void> {
    const named = [this.points, this.work, this.componentArrays].flatMap((buffers) => Object.entries(buffers))
    await Promise.all(named.map(([name, buffer]) => resized(buffer, this.widthOf(name) * this.count)))
  }

  /** Writes numbers for maps. */
  async #rewrite(arrays: Readonly<Record<string, FloatArray>>): Promise<void> {
    for (const [name, numbers] of Object.entries(arrays)) {
      const buffer = this.work[name]
      if (!buffer) continue
      await resized(buffer, numbers.length)
      await buffer.write(numbers)
    }
  }

  /** The arrays that laws of pairs read, as they are now. */
  async ofPairs(): Promise<Readonly<Record<string, FloatArray>>> {
    const vectors = new Set([...this.components.values()].map(({ vector }) => vector))
    const plain = (name: string) => name === 'position' || !moving.includes(name)
    const names = Object.keys(this.points).filter((name) => plain(name) || vectors.has(name))
    const arrays = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, (await this.points[name]?.read()) as FloatArray] as const)),
    )
    const split = [...this.components].map(([name, of]) => [
      name,
      componentIn(arrays[of.vector] as FloatArray, of, this.state.dimension),
    ])
    return Object.fromEntries([...Object.entries(arrays).filter(([name]) => plain(name)), ...split])
  }

  /**
   * Writes an array of the points, the components that laws read, the table numbers of bonds, and the masses of constraints. @param arrays all arrays of the points
   */
  async write(name: string, arrays: PointArrays, components: Readonly<Record<string, FloatArray>>): Promise<void> {
    this.state = { ...this.state, arrays }
    await this.points[name]?.write(arrays[name] as FloatArray)
    await this.ends.rewrite({ numbers: this.numbers, arrays })
    if (name === this.parts.inertia) await this.constraints?.reweigh(this.massesIn(arrays))
    for (const [component, numbers] of Object.entries(components)) {
      const buffer = this.componentArrays[component]
      if (!buffer) continue
      // Its length is that of the last step, if points have come or gone since then.
      await resized(buffer, numbers.length)
      await buffer.write(numbers)
    }
  }
}
