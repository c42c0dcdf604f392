/**
 * Looks for events on one device: a stage that marks the points of an event, and a sum of the marks. If nobody is marked, only this sum
 * is read; otherwise a list of the points too, where the device can make one.
 *
 * Pairs are looked for within a distance that no pair of the event exceeds. The device may keep Verlet lists for that, with a skin in
 * proportion to the distance, so a short one grows to the usual distance between neighbours.
 *
 * @module
 */

import type { DeviceBuffer, Program } from '../../contract/backend.ts'
import { nonzeroIn } from '../../ground/arrays/some-numbers.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { map, open, sum } from '../../problem/typed-at-once.ts'
import { type Boundary, sidesOf } from '../../problem/workloads/domain.ts'
import { deviceNumbers } from '../../problem/workloads/numbers/device-numbers.ts'
import type { Workload } from '../../problem/workloads/workload.ts'
import type { PointArrays } from '../arrays.ts'
import type { ForceParts } from '../forces/force.ts'
import { boundaryNow } from '../numbers/box.ts'
import { ScratchRun, totalOf } from '../reading/scratch-run.ts'
import type { ClockedState } from '../state.ts'
import { writtenBy } from '../stepping/outcomes.ts'
import { requireSimulated } from '../stepping/pair-shapes.ts'
import type { Stages } from '../stepping/stages.ts'
import { conditionOf, metText, reachOf } from './conditions.ts'
import { isPairEvent, type PairEvent, type SimulationEvent } from './events.ts'

/** A look that is ready to run. */
interface Look {
  readonly run: ScratchRun
  /** A number for each point, 0 for those that do not meet the condition. */
  readonly marks: DeviceBuffer
}

/** A look that is prepared for any number of points. */
interface Prepared {
  readonly workload: Workload
  readonly result: string
  /** The unit of length, if it is not the caller's. */
  readonly unit: Readonly<Record<string, number>>
  program: Program | undefined
}

export class Looks {
  readonly #stages: Stages
  readonly #prepared = new Map<string, Prepared>()
  /** By the places of events; null for those that no pair can meet. */
  readonly #looks = new Map<number, Look | null>()
  /** The usual distance between neighbours at the first look. */
  #spacing: number | undefined

  constructor(stages: Stages) {
    this.#stages = stages
  }

  /** The points that are marked now, or undefined if there are none. @param n the place of the event */
  async marked(event: SimulationEvent, n: number, state: ClockedState): Promise<Uint32Array | undefined> {
    const known = this.#looks.get(n)
    const look = known === undefined ? await this.#made(event, n, state) : known
    this.#looks.set(n, look)
    if (!look) return undefined
    await look.run.run()
    if ((await totalOf(look.marks)) === 0) return undefined
    return look.marks.nonzero?.() ?? nonzeroIn(await look.marks.read())
  }

  async #made(event: SimulationEvent, n: number, state: ClockedState): Promise<Look | null> {
    if (!isPairEvent(event))
      return this.#look(`${n}`, () => {
        const workload = map({ met: metText(event.points, 'events') }, event.parameters)
        return { workload, result: 'met', unit: {}, program: undefined }
      })
    const { arrays, parts } = this.#stages
    if (arrays.count < 2) return null
    this.#spacing ??= spacingOf(state.arrays.position, state.dimension)
    const boundary = boundaryIn(parts)
    const box = boundary && boundaryNow(boundary, arrays.numbers)
    const cutoff = cutoffOf(event, knownArrays(state), { box, spacing: this.#spacing })
    if (cutoff === 0) return null
    // The distance is a number of each run, so that another one compiles nothing.
    const near = cutoff !== undefined && { cutoff }
    return this.#look(near ? `${n} near` : `${n}`, () => this.#ofPairs(event, { ...near }, state.arrays), near || {})
  }

  #ofPairs(event: PairEvent, near: { readonly cutoff?: number }, arrays: PointArrays): Prepared {
    const { arrays: own, parts, device } = this.#stages
    const boundary = boundaryIn(parts)
    const workload = sum(conditionOf(event), { ...(boundary && { boundary }), ...near })
    const { shape } = own.of({ workload })
    const { parameters } = this.#stages.bindings({ workload })
    const set = { count: shape.targets, arrays }
    const given = { workload, shape, bindings: { targets: set, sources: set, parameters } }
    const { lengthUnit } = deviceNumbers(given, device.info.precision).bindings.parameters
    const unit = { ...(lengthUnit !== undefined && { lengthUnit }) }
    return { workload, result: 'value', unit, program: undefined }
  }

  /** @param numbers parameters of the run that differ from those of the program */
  async #look(key: string, make: () => Prepared, numbers: Readonly<Record<string, number>> = {}): Promise<Look> {
    const { arrays, device } = this.#stages
    const prepared = this.#prepared.get(key) ?? make()
    this.#prepared.set(key, prepared)
    const { workload, result, unit } = prepared
    const program = await this.#program(prepared)
    const { parameters, ...bindings } = this.#stages.bindings({ workload })
    const run = new ScratchRun(device)
    try {
      const own = { ...bindings, parameters: { ...parameters, ...unit, ...numbers } }
      const { [result]: marks } = await run.add(program, own, { [result]: arrays.count }, { lasts: true })
      return { run, marks: marks as DeviceBuffer }
    } catch (error) {
      run.dispose()
      throw error
    }
  }

  async #program(prepared: Prepared): Promise<Program> {
    const { workload, unit } = prepared
    if (prepared.program) return prepared.program
    const { device, arrays } = this.#stages
    const { shape, room } = arrays.of({ workload })
    const inUnit = 'lengthUnit' in unit && { scaled: true as const }
    requireSimulated(device, workload, { ...room, ...inUnit })
    let program = await device.prepare(workload, { ...room, ...inUnit })
    if (!program.fewer && room.targets !== shape.targets) {
      program.dispose()
      program = await device.prepare(workload, { ...shape, ...inUnit })
    }
    prepared.program = program
    return program
  }

  /** Forgets all that depends on the number of points or on their attributes. */
  forget(): void {
    for (const look of this.#looks.values()) look?.run.dispose()
    this.#looks.clear()
    for (const prepared of this.#prepared.values()) {
      if (!prepared.program || prepared.program.fewer) continue
      prepared.program.dispose()
      prepared.program = undefined
    }
  }

  dispose(): void {
    this.forget()
    for (const { program } of this.#prepared.values()) program?.dispose()
  }
}

/** The boundary of the system, if it is a periodic box. */
export function boundaryIn({ pairs, bonds }: ForceParts): Boundary | undefined {
  const boundaries = [...pairs, ...bonds].map(({ workload }) => workload.domain.boundary)
  return boundaries.find(({ kind }) => kind === 'periodic')
}

/** The arrays that the host has as they are on the device. */
function knownArrays(state: ClockedState): Readonly<Record<string, FloatArray>> {
  const written = writtenBy(state)
  return Object.fromEntries(Object.entries(state.arrays).filter(([name]) => !written.has(name)))
}

/** How far apart pairs are looked for: undefined for all of them, 0 if none can meet the condition. */
function cutoffOf(
  event: PairEvent,
  arrays: Readonly<Record<string, FloatArray>>,
  { box, spacing }: { readonly box: Boundary | undefined; readonly spacing: number },
): number | undefined {
  const reach = Math.min(reachOf(conditionOf(event), arrays), event.cutoff ?? Number.POSITIVE_INFINITY)
  if (reach === 0) return 0
  const half = Math.min(...sidesOf(box ?? open())) / 2
  if (!(reach < half && reach < Number.POSITIVE_INFINITY)) return undefined
  return Math.min(half, Math.max(reach, spacing))
}

/** So many points tell the distance between neighbours. */
const sample = 1000

/** The usual distance between neighbours, in the middle half of the points along each axis. */
function spacingOf(position: FloatArray, dimension: number): number {
  const count = position.length / dimension
  const stride = Math.ceil(count / sample)
  let volume = 1
  for (let axis = 0; axis < dimension; axis++) {
    const x = Float64Array.from(
      { length: Math.ceil(count / stride) },
      (_, n) => position[n * stride * dimension + axis] as number,
    )
    x.sort()
    volume *= 2 * ((x[Math.floor(0.75 * (x.length - 1))] as number) - (x[Math.floor(0.25 * (x.length - 1))] as number))
  }
  return (volume / count) ** (1 / dimension)
}
