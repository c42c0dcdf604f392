/**
 * The forces of a simulation that may be approximated, on one device: the tree setting of each, and how exact it is. The stages of a step
 * compute them. This file measures their errors, as a run of the engine does.
 *
 * @module
 */
import type { Device, MeasuredError, Program, Stage, TreeSetting } from '../../contract/backend.ts'
import { type FloatArray, firstNotFinite } from '../../ground/checks.ts'
import {
  type Approximable,
  type ApproximatedProgram,
  approximationOf,
  type DevicePrograms,
  type FoundSetting,
} from '../../methods/tolerance/approximate.ts'
import { deriveTreeFacts } from '../../methods/tolerance/derive-tree-facts.ts'
import { bind } from '../../problem/workloads/bind-given.ts'
import { deviceNumbers } from '../../problem/workloads/numbers/device-numbers.ts'
import type { ArrayResults, Dimension, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { ownerOf, type SimulationNumbers } from '../numbers/numbers.ts'
import type { PairPart } from './force.ts'

/** How exact a force of a simulation was when it was measured. */
export interface ForceError extends MeasuredError {
  /** The place of its law among the laws of pairs, from 0. */
  readonly force: number
  /** After how many steps it was measured. */
  readonly step: number
  /** The loop that computes it, with the setting of its tree. */
  readonly variant: string
  /**
   * The length of the sum of all forces, divided by the sum of their lengths. It is 0, but for rounding, if all pairs of a
   * reciprocal law are computed; otherwise the momentum drifts at that rate. Absent for terms, which are no forces.
   */
  readonly net?: number
}

/** Settings in the order of the laws of pairs, as a state keeps them; null for all pairs. */
export type TreeSettings = readonly (FoundSetting | null)[]

/** An approximated force, with its programs and its latest error. */
interface Approximated {
  readonly force: number
  readonly part: PairPart
  readonly exact: Program
  readonly shape: Shape
  readonly approximated: ApproximatedProgram
  error?: ForceError
}

/** The parts of a simulation on one device that this file reads. */
interface Simulated {
  readonly device: Device
  readonly state: { readonly dimension: Dimension }
  /** The current numbers. */
  readonly numbers: SimulationNumbers
}

/** Finds the reason that forbids a tree for a force. @throws TypeError */
export function requireApproximable({ workload, method }: PairPart, dimension: Dimension): void {
  if (method?.kind === 'mesh')
    throw new TypeError(
      `"method" expected a tree in a simulation, got a mesh: a step cannot leave the device for it yet; use a cutoff, or run ${workload.results.join(' and ')} with the engine`,
    )
  if (method) approximationOf(...approximable({ ...workload, method }, { dimension, sameSet: true }))
}

const approximable = (
  workload: Approximable,
  shape: Pick<Shape, 'dimension' | 'sameSet'>,
): Parameters<typeof approximationOf> => [workload, deriveTreeFacts(workload, shape)]

/** Makes the exact program of a sum over pairs for points of a shape. */
export type PreparePair = (workload: PairWorkload, part: PairPart) => Promise<{ program: Program; shape: Shape }>

export class Tolerances {
  readonly #simulation: Simulated
  readonly #prepare: PreparePair
  readonly #forces: readonly Approximated[]
  /** Approximated totals, such as the energy, by quantity and force. */
  readonly #totals = new Map<string, Promise<ApproximatedProgram>>()
  readonly #truths = new Map<string, Promise<Program>>()

  private constructor(
    simulation: Simulated,
    prepare: PreparePair,
    forces: readonly Omit<Approximated, 'approximated'>[],
  ) {
    this.#simulation = simulation
    this.#prepare = prepare
    this.#forces = forces.map((force) => ({
      ...force,
      approximated: this.#meeting(force.part.workload, force.part, force.exact, force.shape),
    }))
  }

  /** Undefined if no force may be approximated. */
  static async of(
    simulation: Simulated,
    pairs: readonly PairPart[],
    prepare: PreparePair,
  ): Promise<Tolerances | undefined> {
    const forces: Omit<Approximated, 'approximated'>[] = []
    for (const [force, part] of pairs.entries())
      if (part.method) {
        const { program: exact, shape } = await prepare(part.workload, part)
        forces.push({ force, part, exact, shape })
      }
    return forces.length > 0 ? new Tolerances(simulation, prepare, forces) : undefined
  }

  /** Takes settings that were found before. */
  startFrom(settings: TreeSettings): void {
    for (const { force, approximated } of this.#forces) approximated.startFrom(settings[force] ?? undefined)
  }

  get settings(): TreeSettings {
    const settings: (FoundSetting | null)[] = []
    for (const { force, approximated } of this.#forces) settings[force] = approximated.setting ?? null
    return Array.from(settings, (setting) => setting ?? null)
  }

  /** The latest errors of all forces that may be approximated. */
  get errors(): readonly ForceError[] {
    return this.#forces.flatMap(({ error }) => error ?? [])
  }

  /** The program that computes a force, with its tree setting or its range of sources; undefined if the force is exact. */
  stageOf(part: PairPart | undefined): Pick<Stage, 'program' | 'tree' | 'sources'> | undefined {
    const found = this.#forces.find((force) => force.part === part)
    if (!found) return undefined
    const { sources } = found.approximated
    return { program: found.exact, tree: treeOf(found), ...(sources && { sources }) }
  }

  /**
   * Computes the forces of points once, measures their errors, and takes more exact settings where a tolerance is exceeded. Does
   * nothing for numbers that are not finite, which the simulation reports at the next read.
   *
   * @param arrays of all points, in the precision of the device
   * @returns whether a setting has changed
   */
  async measure(arrays: Readonly<Record<string, FloatArray>>, step: number): Promise<boolean> {
    if (Object.values(arrays).some((array) => firstNotFinite(array) >= 0)) return false
    const before = JSON.stringify(this.#forces.map(treeOf))
    for (const found of this.#forces) {
      const { force, part, approximated } = found
      const results = await this.#run(approximated, part.workload, force, arrays)
      const { error, variant } = approximated.report
      const net = netForce(results, arrays[part.workload.law.inertia ?? ''], this.#simulation.state.dimension)
      if (error) found.error = { force, step, variant, ...error, ...(net !== undefined && { net }) }
    }
    return JSON.stringify(this.#forces.map(treeOf)) !== before
  }

  /** The share of each point in a total, such as the energy, by the tree of its force. */
  async total(
    workload: PairWorkload,
    part: PairPart,
    arrays: Readonly<Record<string, FloatArray>>,
  ): Promise<FloatArray> {
    const found = this.#forces.find((force) => force.part === part)
    const key = `${workload.quantity} ${found?.force}`
    const made = async () => {
      const { program, shape } = await this.#prepare(workload, part)
      return this.#meeting(workload, part, program, shape)
    }
    const program = this.#totals.get(key) ?? made()
    this.#totals.set(key, program)
    const [numbers] = Object.values(await this.#run(await program, workload, found?.force ?? 0, arrays))
    return numbers as FloatArray
  }

  dispose(): void {
    for (const program of this.#truths.values())
      program.then(
        (one) => one.dispose(),
        () => {},
      )
  }

  #run(
    program: ApproximatedProgram,
    workload: PairWorkload,
    force: number,
    arrays: Readonly<Record<string, FloatArray>>,
  ): Promise<ArrayResults> {
    const { device, state, numbers } = this.#simulation
    const owner = ownerOf('Pair', force)
    const points = { ...arrays, dimension: state.dimension }
    const bound = bind(workload, points, numbers.parameters[owner], undefined, numbers.tables[owner])
    return program.run(deviceNumbers(bound, device.info.precision).bindings)
  }

  #meeting(workload: PairWorkload, { method }: PairPart, exact: Program, shape: Shape): ApproximatedProgram {
    // Settings belong to the object with the programs, so that each sum has its own.
    const programs: DevicePrograms = {
      using: (truth, over, _, work) => this.#truth(truth, over).then(work),
      rare: true,
    }
    return approximationOf(...approximable({ ...workload, method } as Approximable, shape)).of(exact, shape, programs)
  }

  #truth(workload: PairWorkload, shape: Shape): Promise<Program> {
    const key = JSON.stringify([workload.law.expressions, shape.targets])
    const known = this.#truths.get(key) ?? this.#simulation.device.prepare(workload, shape)
    this.#truths.set(key, known)
    return known
  }
}

function treeOf({ approximated: { setting } }: Approximated): TreeSetting | undefined {
  return setting && { proxies: setting.proxies, opening: setting.opening }
}

function netForce(
  { acceleration, force }: ArrayResults,
  inertia: FloatArray | undefined,
  dimension: Dimension,
): number | undefined {
  const vectors = (acceleration ?? force) as FloatArray | undefined
  if (!vectors) return undefined
  const total = new Float64Array(dimension)
  let lengths = 0
  for (let at = 0; at < vectors.length; at += dimension) {
    const weight = acceleration ? (inertia?.[at / dimension] ?? 1) : 1
    let squares = 0
    for (let axis = 0; axis < dimension; axis++) {
      const component = weight * (vectors[at + axis] as number)
      total[axis] = (total[axis] as number) + component
      squares += component * component
    }
    lengths += Math.sqrt(squares)
  }
  return lengths > 0 ? Math.hypot(...total) / lengths : 0
}
