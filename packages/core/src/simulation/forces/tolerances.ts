/**
 * The forces of a simulation that may be approximated, on one device: the setting of each tree or mesh, and how exact it is. The stages of a step
 * compute them. This file measures their errors, as a run of the engine does.
 *
 * @module
 */
import type {
  Bindings,
  Device,
  MeasuredError,
  Program,
  RunOptions,
  Stage,
  TreeSetting,
} from '../../contract/backend.ts'
import { type FloatArray, firstNotFinite } from '../../ground/checks.ts'
import type { FoundMesh, MeshProgram } from '../../methods/mesh/mesh-program.ts'
import type { ShortPart } from '../../methods/mesh/short-law.ts'
import type { SmoothParts } from '../../methods/mesh/smooth-parts.ts'
import {
  type Approximable,
  type ApproximatedProgram,
  approximationOf,
  type DevicePrograms,
  type FoundSetting,
} from '../../methods/tolerance/approximate.ts'
import { deriveTreeFacts } from '../../methods/tolerance/derive-tree-facts.ts'
import { bind } from '../../problem/workloads/bind-given.ts'
import { hasOpenAxes } from '../../problem/workloads/domain.ts'
import { deviceNumbers } from '../../problem/workloads/numbers/device-numbers.ts'
import type { ArrayResults, Dimension, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { parametersInBox } from '../numbers/box.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import { numbersOfPair, type Summand } from '../numbers/pair-numbers.ts'
import type { PairPart } from './force.ts'

/**
 * The errors are measured after each multiple of so many steps. Evenly spread points of a mesh change little, and a measurement takes as long as
 * hundreds of their steps, so it becomes as rare as the second number says.
 */
const [often, rarely] = [64, 1024]
/** After so many steps, the grids of points in open space and in slabs are looked at. */
const checked = 8

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
export type TreeSettings = readonly (FoundSetting | FoundMesh | null)[]

/** An approximated force, with its programs and its latest error. */
interface Approximated {
  readonly force: number
  readonly part: PairPart
  readonly exact: Program
  readonly approximated: ApproximatedProgram | MeshProgram
  error?: ForceError
}

/** The parts of a simulation on one device that this file reads. */
interface Simulated {
  readonly device: Device
  readonly state: { readonly dimension: Dimension }
  /** The current numbers. */
  readonly numbers: SimulationNumbers
}

/** Finds the reason that forbids the method of a force. @throws TypeError */
export async function requireApproximable({ workload, method }: PairPart, dimension: Dimension): Promise<void> {
  const shape = { dimension, sameSet: true }
  if (method?.kind === 'mesh') (await loadMesh()).meshOf({ ...workload, method }, shape)
  else if (method) approximationOf(...approximable({ ...workload, method } as Approximable, shape))
}

const loadMesh = () => import('../../methods/mesh/mesh-program.ts')

const approximable = (
  workload: Approximable,
  shape: Pick<Shape, 'dimension' | 'sameSet'>,
): Parameters<typeof approximationOf> => [workload, deriveTreeFacts(workload, shape)]

/** Makes the exact program of a sum over pairs for points of a shape. */
export type PreparePair = (workload: PairWorkload, part: PairPart) => Promise<{ program: Program; shape: Shape }>

export class Tolerances {
  readonly #simulation: Simulated
  readonly #prepare: PreparePair
  readonly #forces: Approximated[] = []
  /** Approximated totals, such as the energy, by quantity and force. */
  readonly #totals = new Map<string, Promise<Approximated['approximated']>>()
  readonly #truths = new Map<string, Promise<Program>>()

  private constructor(simulation: Simulated, prepare: PreparePair) {
    this.#simulation = simulation
    this.#prepare = prepare
  }

  /** Undefined if no force may be approximated. */
  static async of(
    simulation: Simulated,
    pairs: readonly PairPart[],
    prepare: PreparePair,
  ): Promise<Tolerances | undefined> {
    const tolerances = new Tolerances(simulation, prepare)
    for (const part of pairs)
      if (part.method) {
        const { program: exact, shape } = await prepare(part.workload, part)
        const approximated = await tolerances.#meeting(part.workload, part, exact, shape)
        // A law with a method is no sum of laws.
        const [{ place: force }] = part.summands as readonly [Summand]
        tolerances.#forces.push({ force, part, exact, approximated })
      }
    return tolerances.#forces.length > 0 ? tolerances : undefined
  }

  /** Takes settings that were found before. */
  startFrom(settings: TreeSettings): void {
    for (const { force, approximated } of this.#forces) {
      const setting = settings[force] ?? undefined
      if (isMesh(approximated)) approximated.startFrom(setting && 'band' in setting ? setting : undefined)
      else approximated.startFrom(setting && 'opening' in setting ? setting : undefined)
    }
  }

  /** Whether a mesh has no setting: its force would be that of the nearest images. */
  get lacksMesh(): boolean {
    return this.#forces.some(({ approximated }) => isMesh(approximated) && !approximated.setting)
  }

  get settings(): TreeSettings {
    const settings: (FoundSetting | FoundMesh | null)[] = []
    for (const { force, approximated } of this.#forces) settings[force] = approximated.setting ?? null
    return Array.from(settings, (setting) => setting ?? null)
  }

  /** The next number of steps after which the errors are measured. It depends on that number alone, so that a resumed run does the same. */
  measuredAfter(steps: number): number {
    const most = this.#forces.every(({ approximated }) => isMesh(approximated)) ? rarely : often
    const every = Math.min(most, Math.max(often, 2 ** Math.floor(Math.log2(Math.max(1, steps)))))
    return (Math.floor(steps / every) + 1) * every
  }

  /** The next number of steps after which grids in open space and in slabs are looked at, because points spread. It depends on that number alone. */
  checkedAfter(steps: number): number | undefined {
    const isOpen = this.#forces.some(
      ({ part, approximated }) => isMesh(approximated) && hasOpenAxes(part.workload.domain.boundary),
    )
    return isOpen ? (Math.floor(steps / checked) + 1) * checked : undefined
  }

  /** Whether a grid is much larger than when its reach was chosen. */
  get outgrown(): boolean {
    return this.#forces.some(({ approximated }) => isMesh(approximated) && approximated.outgrown)
  }

  /** The latest errors of all forces that may be approximated. */
  get errors(): readonly ForceError[] {
    return this.#forces.flatMap(({ error }) => error ?? [])
  }

  /** The program that computes a force, with its tree setting or its range of sources; undefined if the force is exact. */
  stageOf(part: PairPart | undefined): Pick<Stage, 'program' | 'tree' | 'sources'> | undefined {
    const found = this.#forces.find((force) => force.part === part)
    if (!found) return undefined
    const { approximated } = found
    if (isMesh(approximated)) return { program: found.exact }
    const { sources } = approximated
    return { program: found.exact, tree: treeOf(approximated), ...(sources && { sources }) }
  }

  /** The short part of a force with a mesh; undefined for other forces. */
  short(part: PairPart, bindings: Bindings): ShortPart | undefined {
    return this.#meshOf(part)?.short(bindings)
  }

  /** The smooth part of a force with a mesh, for the stages of a device; undefined if every sum is 0. */
  smoothParts(part: PairPart, bindings: Bindings): SmoothParts | undefined {
    return this.#meshOf(part)?.smoothParts(bindings)
  }

  /** The smooth part of a force with a mesh. */
  async smooth(
    part: PairPart,
    bindings: Bindings,
    options: Pick<RunOptions, 'signal'>,
  ): Promise<Float64Array | undefined> {
    return this.#meshOf(part)?.smooth(bindings, options)
  }

  #meshOf(part: PairPart): MeshProgram | undefined {
    const approximated = this.#forces.find((force) => force.part === part)?.approximated
    return approximated && isMesh(approximated) ? approximated : undefined
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
    const before = this.#chosen
    for (const found of this.#forces) {
      const { force, part, approximated } = found
      const results = await this.#run(approximated, part.workload, part, arrays)
      const { error, variant } = approximated.report
      const net = netForce(results, arrays[part.workload.law.inertia ?? ''], this.#simulation.state.dimension)
      if (error) found.error = { force, step, variant, ...error, ...(net !== undefined && { net }) }
    }
    return this.#chosen !== before
  }

  /** The settings as text, without their errors. */
  get #chosen(): string {
    return JSON.stringify(this.settings.map((setting) => setting && { ...setting, error: 0 }))
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
    const approximated = await program
    // From the setting of the force, which a snapshot has, so that a sum depends on the state alone.
    const force = this.#meshOf(part)
    if (force && isMesh(approximated)) approximated.startFrom(force.setting)
    const [numbers] = Object.values(await this.#run(approximated, workload, part, arrays))
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
    program: Approximated['approximated'],
    workload: PairWorkload,
    part: PairPart,
    arrays: Readonly<Record<string, FloatArray>>,
  ): Promise<ArrayResults> {
    const { device, state, numbers } = this.#simulation
    const { parameters, tables } = numbersOfPair(part, numbers)
    const points = { ...arrays, dimension: state.dimension }
    // With its method, a sum needs no end.
    const given = isMesh(program) ? program.workload : workload
    const { bindings, ...bound } = bind(given, points, parameters, undefined, tables)
    const inBox = { ...bindings, parameters: parametersInBox(workload, bindings.parameters, numbers) }
    return program.run(deviceNumbers({ ...bound, bindings: inBox }, device.info.precision).bindings)
  }

  async #meeting(
    workload: PairWorkload,
    { method }: PairPart,
    exact: Program,
    shape: Shape,
  ): Promise<Approximated['approximated']> {
    // Settings belong to the object with the programs, so that each sum has its own.
    const programs: DevicePrograms = {
      using: (truth, over, _, work) => this.#truth(truth, over).then(work),
      rare: true,
      device: this.#simulation.device,
    }
    if (method?.kind === 'mesh')
      return (await loadMesh()).meshOf({ ...workload, method }, shape).of(exact, shape, programs)
    return approximationOf(...approximable({ ...workload, method } as Approximable, shape)).of(exact, shape, programs)
  }

  #truth(workload: PairWorkload, shape: Shape): Promise<Program> {
    // The energy and the virial of Coulomb's law have one text, but results of their own.
    const key = JSON.stringify([workload.law.expressions, workload.results, shape.targets])
    const known = this.#truths.get(key) ?? this.#simulation.device.prepare(workload, shape)
    this.#truths.set(key, known)
    return known
  }
}

const isMesh = (program: Approximated['approximated']): program is MeshProgram => 'smooth' in program

function treeOf({ setting }: ApproximatedProgram): TreeSetting | undefined {
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
