/** One simulation on one engine: its beginning or continuation from a state, the place of its points, and its work per step. */

import {
  accelerations,
  backends,
  createEngine,
  type Dimension,
  type Engine,
  type Force,
  forces,
  type GpuBuffer,
  type Interaction,
  type PairWorkload,
  type Simulation,
  type SimulationState,
  sum,
  tree,
} from 'manybody'
import type { PointArrays } from '../drawing/picture.ts'
import type { PointSource } from '../drawing/screen.ts'
import { lawOf } from './laws.ts'
import { mayBeApproximate, type Setup } from './setup.ts'
import { withVariant } from './variants.ts'

function forcesOf({ scene, count, seed, tolerance }: Setup, law: Interaction): readonly Force[] {
  const listed = scene.forces(law, count, seed)
  if (tolerance === 0 || !mayBeApproximate(scene)) return listed
  return listed.map((force) => (force === law ? { law, method: tree({ tolerance }) } : force))
}

export function openEngine({ backend, variant }: Pick<Setup, 'backend' | 'variant'>): Promise<Engine> {
  const all = backends().map((one) => (one.name === backend && variant !== '' ? withVariant(one, variant) : one))
  return createEngine({ backends: all, crossover: false, ...(backend !== '' && { backend }) })
}

/** The state before the first step. */
export function firstArrays({ scene, count, seed }: Setup): PointArrays {
  const { position, velocity = new Float32Array(position.length), dimension } = scene.points(count, seed)
  return { position, velocity, dimension }
}

export const edgesOf = ({ scene, count, seed }: Setup): Uint32Array<ArrayBuffer> =>
  Uint32Array.from(scene.edges?.(count, seed).flat() ?? [])

/** The work of a step, for showing a speed. */
export interface StepWork {
  readonly unit: 'pairs' | 'bodies'
  readonly perStep: number
}

export class Session {
  #arrays: PointArrays
  #source: PointSource | undefined
  /** Whether the points have moved to another device. */
  #replaced = false

  private constructor(
    readonly setup: Setup,
    readonly law: Interaction,
    readonly engine: Engine,
    readonly simulation: Simulation,
    readonly onSource: () => Promise<void>,
  ) {
    this.#arrays = firstArrays(setup)
  }

  /**
   * @param state the state to continue from, with the law and the direction of the setup
   * @param onSource called when the points have moved to another place
   */
  static async begin(
    setup: Setup,
    engine: Engine,
    state: SimulationState | undefined,
    onSource: () => Promise<void>,
  ): Promise<Session> {
    const { scene, count, seed, backwards } = setup
    const law = lawOf(scene, setup.law)
    const { integrator } = scene
    const dt = backwards ? -scene.dt : scene.dt
    const described = { forces: forcesOf(setup, law), integrator, dt }
    const simulation = state
      ? await engine.resume({
          ...state,
          ...described,
          settings: undefined,
          checksum: undefined,
        })
      : await engine.simulate({ ...described, particles: scene.points(count, seed) })
    const session = new Session(setup, law, engine, simulation, onSource)
    await session.#locate()
    return session
  }

  /** The present place of the points. */
  get source(): PointSource {
    return this.#source ?? { kind: 'arrays', arrays: () => this.#arrays, edges: edgesOf(this.setup) }
  }

  async step(count: number, signal?: AbortSignal): Promise<void> {
    await this.simulation.step(count, { ...(signal && { signal }) })
    await this.#read()
    if (this.#replaced) await this.onSource()
    this.#replaced = false
  }

  async #locate(): Promise<void> {
    const { simulation, engine, setup } = this
    if (engine.device.info.backend !== 'webgpu') return this.#read()
    const edges = edgesOf(setup)
    const show = (position: GpuBuffer, velocity: GpuBuffer) => {
      this.#source = { kind: 'buffers', points: { position, velocity, edges } }
    }
    // After the loss of a device both arrays move, the positions first.
    let moved: GpuBuffer | undefined
    const position = await simulation.gpuBuffer('position', (now) => {
      moved = now
    })
    const velocity = await simulation.gpuBuffer('velocity', (now) => {
      if (now && moved) show(moved, now)
      else this.#source = undefined
      this.#replaced = true
    })
    show(position, velocity)
  }

  async #read(): Promise<void> {
    if (this.#source) return
    const { simulation, setup } = this
    const position = (await simulation.read('position')) as Float32Array<ArrayBuffer>
    const velocity = (await simulation.read('velocity')) as Float32Array<ArrayBuffer>
    this.#arrays = { position, velocity, dimension: setup.scene.points(1, 1).dimension }
  }

  /** The sum over pairs that each evaluation of the typed law computes. */
  workload(): PairWorkload {
    const [force] = forcesOf(this.setup, this.law)
    const { law, scale, ...domain } = (force && 'law' in force ? force : { law: this.law }) as {
      law: Interaction
      scale?: number
    }
    if (law.kind === 'term') return sum(law, domain)
    return law.inertia ? accelerations(law, domain) : forces(law, domain)
  }

  /** The present points, with every attribute that the law may read. */
  async points(): Promise<{ readonly position: Float32Array; readonly dimension: Dimension }> {
    const { arrays, dimension } = await this.simulation.snapshot()
    const count = arrays.position.length / dimension
    const attributes = Object.entries(arrays).filter(([, { length }]) => length === count)
    const velocities = ['x', 'y', 'z'].slice(0, dimension).map((axis) => `velocity_${axis}`)
    const read = async (name: string) => [name, await this.simulation.read(name)] as const
    const needed = Object.values(this.law.expressions).some((text) => text.includes('velocity_'))
    return {
      ...Object.fromEntries(attributes),
      ...(needed && Object.fromEntries(await Promise.all(velocities.map(read)))),
      position: arrays.position as Float32Array,
      dimension,
    }
  }

  /** The pairs that one step evaluates. With a cutoff or a tree, nobody counts the pairs, so it is the bodies that a step moves. */
  get stepWork(): StepWork {
    const { scene, count, tolerance } = this.setup
    const sums = scene.integrator.stages.filter(({ kind }) => kind === 'force').length
    return scene.work === 'pairs' && tolerance === 0
      ? { unit: 'pairs', perStep: sums * count ** 2 }
      : { unit: 'bodies', perStep: count }
  }

  dispose(): void {
    this.simulation.dispose()
  }
}
