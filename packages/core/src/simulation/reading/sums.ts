/**
 * The requested sums of a simulation, each prepared once per device: sums of a workload's numbers, and totals of points.
 *
 * @module
 */

import type { Bindings, Device, DeviceBuffer, Program, Stage } from '../../contract/backend.ts'
import { added } from '../../ground/arrays/added.ts'
import { type FloatArray, firstNotFinite } from '../../ground/checks.ts'
import { promised } from '../../ground/promised.ts'
import { ScratchRun, totalOf } from './scratch-run.ts'
import type { TotalPoints, TotalRequest, Totals } from './total-request.ts'
import { PointTotals } from './totals.ts'

/** A program with one result. The numbers of the result are added up. */
export interface Addition {
  readonly program: Program
  readonly bindings: Bindings
  readonly result: string
  readonly length: number
  /** The targets, from the first on, and the sources that it visits; all by default. */
  readonly ranges: Pick<Stage, 'targets' | 'sources'>
}

interface Prepared {
  readonly run: ScratchRun
  readonly numbers: DeviceBuffer
}

/** The sum in float64. @throws the error that `stray` makes for the first number that is not finite */
export function finiteSum(numbers: FloatArray, stray: (value: number, index: number) => Error): number {
  const index = firstNotFinite(numbers)
  if (index >= 0) throw stray(numbers[index] as number, index)
  return added(numbers)
}

/** How many kinds of totals stay prepared. */
const mostTotals = 8

export class Sums {
  readonly #device: Device
  readonly #additions = new Map<string, Promise<Prepared>>()
  readonly #totals = new Map<string, Promise<PointTotals>>()

  constructor(device: Device) {
    this.#device = device
  }

  /**
   * The sum of the numbers that a program gives now. `addition` is called for a new key, or if it failed before.
   *
   * @param stray makes the error for the first number that is not finite
   */
  async of(
    key: string,
    addition: () => Promise<Addition>,
    stray: (value: number, index: number) => Error,
  ): Promise<number> {
    const { run, numbers } = await promised(this.#additions, key, async () => this.#prepare(await addition()))
    await run.run()
    const total = await totalOf(numbers)
    // Devices add in their own precision, so finite numbers may have an infinite sum.
    return Number.isFinite(total) ? total : finiteSum(await numbers.read(), stray)
  }

  async #prepare({ program, bindings, result, length, ranges }: Addition): Promise<Prepared> {
    const run = new ScratchRun(this.#device)
    const arrays = await run.add(program, bindings, { [result]: length }, ranges)
    return { run, numbers: arrays[result] as DeviceBuffer }
  }

  async totals(request: TotalRequest, points: TotalPoints): Promise<Totals> {
    const key = JSON.stringify(request)
    const made = this.#totals.get(key) ?? PointTotals.create(this.#device, request, points)
    this.#totals.delete(key)
    this.#totals.set(key, made)
    const [oldest = key] = this.#totals.size > mostTotals ? this.#totals.keys() : []
    if (oldest !== key) void this.#forget(oldest)
    try {
      return await (await made).now()
    } catch (error) {
      await this.#forget(key)
      throw error
    }
  }

  async #forget(key: string): Promise<void> {
    const made = this.#totals.get(key)
    this.#totals.delete(key)
    const totals = await made?.catch(() => undefined)
    totals?.dispose()
  }

  /** Forgets the sums of numbers that programs give, as these read other parameters now. */
  forgetAdditions(): void {
    for (const made of this.#additions.values())
      void made.then(
        ({ run }) => run.dispose(),
        () => {},
      )
    this.#additions.clear()
  }

  dispose(): void {
    this.forgetAdditions()
    for (const key of [...this.#totals.keys()]) void this.#forget(key)
  }
}
