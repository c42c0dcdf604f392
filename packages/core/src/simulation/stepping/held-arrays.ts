/**
 * The arrays of a simulation on one device: how they are made, and how long they are. `stage-arrays.ts` says which of them each stage
 * sees, and `step-arrays.ts` changes their numbers.
 *
 * @module
 */
import type { Device, DeviceBuffer } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { record } from '../../ground/names.ts'
import { inSquare } from '../../problem/workloads/cell.ts'
import { type ComponentOf, componentIn } from '../../problem/workloads/components.ts'
import type { Lengths } from '../../problem/workloads/vector-sets.ts'
import { lengthsOf, type PointArrays, vectorsOf } from '../arrays.ts'
import { type Encounters, encountersIn } from '../encounters.ts'
import { hasImages } from '../forces/cell-images.ts'
import { arraysOf } from '../forces/curve-calls.ts'
import type { ForceParts } from '../forces/force.ts'
import { squareIn } from '../forces/force-stages.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import { workNames } from '../forces/work-names.ts'
import { randomStates } from '../noise/random-states.ts'
import { boxIn, numbersOf } from '../numbers/description.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import { requireApart, requireNearOrigin } from '../origin.ts'
import type { BoundSimulation, ClockedState } from '../state.ts'
import { fill, type NamedBuffers } from './buffers.ts'
import type { Clock } from './clocks/clock.ts'
import { ClusterBuffers } from './cluster-buffers.ts'
import { CurveBuffers } from './curve-buffers.ts'
import { EndArrays } from './end-arrays.ts'
import { ImageBuffers } from './image-buffers.ts'
import { PairShapes } from './pair-shapes.ts'
import { type StageArrays, stageArrays } from './stage-arrays.ts'

export class HeldArrays {
  /** The arrays of the points, which callers read. */
  readonly points: NamedBuffers = record([])
  /** The components of vectors that sums over pairs read. */
  readonly components: ReadonlyMap<string, ComponentOf>
  /** The most points that there may be. */
  readonly capacity: number
  /** The arrays of bonds, angles and dihedrals. */
  ends: EndArrays
  /** The arrays of constraints, if there are any. */
  readonly constraints: ClusterBuffers | undefined
  /** The arrays with one number, of an adaptive clock. */
  readonly single: NamedBuffers = record([])
  protected readonly work: NamedBuffers = record([])
  readonly #images: ImageBuffers
  readonly #curves: CurveBuffers
  /** Whether programs take this number of points alone. */
  readonly #single: boolean
  protected readonly componentArrays: NamedBuffers = record([])
  protected readonly shapes: PairShapes
  readonly #encounters: Encounters | undefined
  readonly #vectors: readonly string[]
  /** How many numbers a point has in each of those, and in vectors of any length. */
  readonly lengths: Lengths
  /** How many points there are now. */
  count: number
  readonly #clock: Clock
  parts: ForceParts
  state: ClockedState
  /** The numbers that stages read now. */
  numbers: SimulationNumbers

  constructor(
    readonly device: Device,
    { state, parts, reads }: BoundSimulation,
    clock: Clock,
  ) {
    this.state = state
    this.parts = parts
    this.numbers = numbersOf(state)
    this.shapes = new PairShapes(device, reads)
    this.#images = new ImageBuffers(device)
    this.#curves = new CurveBuffers(device)
    this.#clock = clock
    const { arrays, dimension, integrator } = state
    this.count = arrays.position.length / dimension
    // Programs for trees, meshes and images take one number of points. Without points, nothing tells how long arrays may become.
    this.#single = this.count === 0 || parts.sums.some((pair) => pair.method || hasImages(pair))
    this.capacity = this.#single ? this.count : (state.capacity ?? this.count)
    const ofSums = parts.sums.flatMap((part) => [...(reads.get(part)?.components ?? [])])
    this.#encounters = encountersIn(state, boxIn(state))
    this.components = new Map([...ofSums, ...(this.#encounters?.components ?? [])])
    this.ends = new EndArrays(device, parts, this.count)
    const pulls = [...parts.pairs, ...this.ends.links].map((_, n) => workNames.pull(n))
    const square = squareIn(parts) ? [workNames.square] : []
    const { constraints } = state
    this.constraints = constraints && new ClusterBuffers(device, constraints, dimension, parts.inertia as string)
    const shift = constraints ? [workNames.shift] : []
    this.#vectors = [...vectorsOf(arrays), ...(integrator.scratch ?? []), ...pulls, ...square, ...shift]
    this.lengths = { ...lengthsOf(state), ...Object.fromEntries(this.#vectors.map((name) => [name, dimension])) }
  }

  /** Every map over points sees all vectors, also the simulation's own. */
  get vectors(): readonly string[] {
    return this.#vectors
  }

  /** Whether points come and go in place: there is room for them, and the device can do so. */
  get roomy(): boolean {
    const given = this.state.capacity === this.capacity && !this.#single
    return given && !this.constraints && this.points.position?.keep !== undefined
  }

  /** The length of an array of points that has room for the most points. */
  #roomFor(length: number): number {
    return this.#single ? length : (length / this.count) * this.capacity
  }

  protected widthOf(name: string): number {
    return this.lengths[name] ?? 1
  }

  /** An array of the points without numbers yet. */
  zeros(name: string): FloatArray {
    return new Float32Array(this.widthOf(name) * this.count)
  }

  async allocate(): Promise<void> {
    const { arrays, dimension, integrator, fixed = [], steps } = this.state
    const { pairs } = this.parts
    const { position, velocity, acceleration = new Float64Array(position.length), previous = acceleration } = arrays
    const components = this.check(arrays)
    const vector = () => new Float32Array(position.length)
    const mobile = this.mobile(fixed)
    // The first law of pairs writes into the target itself.
    const pulled = [...pairs, ...this.ends.links].map((_, n) => n).slice(pairs.length > 0 ? 1 : 0)
    const roomFor = (length: number) => this.#roomFor(length)
    await fill(this.device, this.points, { ...arrays, position, velocity, acceleration, previous }, roomFor)
    await fill(this.device, this.componentArrays, components, roomFor)
    await fill(
      this.device,
      this.work,
      {
        ...Object.fromEntries(pulled.map((n) => [workNames.pull(n), vector()])),
        ...this.#emptySlopes(),
        ...this.#emptyCalls(),
        ...(this.constraints && { [workNames.shift]: vector() }),
        ...Object.fromEntries((integrator.scratch ?? []).map((name) => [name, vector()])),
        ...this.randomStates(steps, fixed),
        ...Object.fromEntries(
          Object.entries(this.#clock.ofPoints).map(([name, at]) => [name, new Float64Array(this.count).fill(at)]),
        ),
        ...(fixed.length > 0 && { [workNames.mobile]: mobile }),
      },
      roomFor,
    )
    const single = Object.entries(this.#clock.single).map(([name, at]) => [name, Float64Array.of(at)] as const)
    // A minimum over points needs a position of its target, though it does not read it.
    const place = single.length > 0 && { position: new Float64Array(dimension) }
    await fill(this.device, this.single, { ...Object.fromEntries(single), ...place })
    await this.ends.allocate(dimension, { numbers: this.numbers, arrays })
    await this.constraints?.allocate(this.massesIn(arrays))
    await this.#images.allocate(this.parts.sums, this.count, { dimension, lengths: this.lengths })
    await this.#curves.allocate(this.parts.calls)
  }

  /** Makes arrays with a number for each point, which maps see. */
  async add(names: readonly string[]): Promise<void> {
    const missing = names.filter((name) => !this.work[name])
    await fill(this.device, this.work, Object.fromEntries(missing.map((name) => [name, new Float32Array(this.count)])))
  }

  protected massesIn(arrays: PointArrays): FloatArray {
    return arrays[this.parts.inertia as string] as FloatArray
  }

  /**
   * Finds the shapes of all loops over pairs, and checks the numbers. Returns the components that laws read, and the points of a triclinic box
   * in a right-angled one.
   *
   * @throws RangeError for numbers that the device does not hold
   */
  check(arrays: PointArrays): Readonly<Record<string, FloatArray>> {
    const { dimension } = this.state
    if (this.device.info.precision === 'f32') {
      requireNearOrigin(arrays.position, dimension)
      requireApart(arrays.position, dimension)
    }
    const square = squareIn(this.parts)
    const squared = square && { [workNames.square]: inSquare(square, arrays.position) }
    const components = this.componentsOf(arrays)
    const all = { ...arrays, ...components, ...this.#emptySlopes() }
    const points = { count: this.count, arrays: all }
    for (const part of this.parts.sums) this.shapes.find(part, points, this.numbers)
    const shape = { dimension, vectors: this.#vectors, sameSet: true, targets: this.count, sources: this.count }
    if (this.#encounters) this.shapes.findEncounters(this.#encounters.workload, shape, points, this.numbers)
    return { ...components, ...squared }
  }

  protected componentsOf(arrays: PointArrays): Readonly<Record<string, FloatArray>> {
    const { dimension } = this.state
    return Object.fromEntries(
      [...this.components].map(([name, of]) => [name, componentIn(arrays[of.vector] as FloatArray, of, dimension)]),
    )
  }

  /** For each point, 1 if it moves. */
  protected mobile(fixed: readonly number[]): Float32Array {
    const mobile = new Float32Array(this.count).fill(1)
    for (const point of fixed) mobile[point] = 0
    return mobile
  }

  /** @param first the first of the points that get one */
  protected randomStates(
    steps: number,
    fixed: readonly number[],
    first: number = 0,
  ): Readonly<Record<string, FloatArray>> {
    const { random } = this.state.integrator
    return random ? randomStates(random.seed, [first, this.count], steps * random.draws, fixed) : {}
  }

  /** The slopes of energies by computed attributes and their parts, before the device has found them. */
  #emptySlopes(): Readonly<Record<string, Float32Array>> {
    const names = this.parts.slopes.flatMap(({ array, sums }) => [array, ...sums.map((one) => one.array)])
    return Object.fromEntries(names.map((name) => [name, new Float32Array(this.count)]))
  }

  /** The numbers of tabulated functions at each point, before the device has looked them up. */
  #emptyCalls(): Readonly<Record<string, Float32Array>> {
    const names = this.parts.calls.flatMap(arraysOf)
    return Object.fromEntries(names.map((name) => [name, new Float32Array(this.count)]))
  }

  /** The arrays that a stage sees. */
  of(stage: Omit<PlannedStage, 'outputs'>): StageArrays {
    const slopes = this.parts.slopes.map(({ array }) => [array, this.work[array] as DeviceBuffer])
    return stageArrays(stage, {
      ...{ dimension: this.state.dimension, vectors: this.#vectors, count: this.count, capacity: this.capacity },
      ...{ points: this.points, work: this.work, single: this.single, ends: this.ends },
      ...{ constraints: this.constraints, images: this.#images, curves: this.#curves },
      ...{ ofPairs: { ...this.componentArrays, ...Object.fromEntries(slopes) }, shapes: this.shapes },
    })
  }

  dispose(): void {
    for (const buffers of [this.points, this.single, this.work, this.componentArrays])
      for (const buffer of Object.values(buffers)) buffer.dispose()
    this.ends.dispose()
    this.#images.dispose()
    this.#curves.dispose()
    this.constraints?.dispose()
  }
}
