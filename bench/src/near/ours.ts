/** The CPU backend as `near` times it: whole calls on points that come in a new order each time, and steps of a simulation. */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, type PairWorkload, type ParticleSet, type Precision } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import type { Contender, Problem, Results } from '../contender.ts'
import { backendContender, type Devices } from '../contenders/backend.ts'
import { timedWith } from '../contenders/choices.ts'
import { liquid } from '../near-tasks.ts'
import { randomFrom } from '../random.ts'

const backend = cpuWasm()

export interface OurOptions {
  readonly precision: Precision
  readonly threads: number
}

/** All pairs, in the loop that the backend would choose without blocks. */
export const allPairs = (options: OurOptions, devices: Devices, once: boolean): Contender => ({
  ...backendContender('all pairs', backend, { ...options, plan: { variant: once ? 'pairs-once' : 'simd' } }, devices),
  name: `all pairs, ${options.precision}, ${options.threads}`,
})

/**
 * The backend's own choice. Calls take turns between two orders of the points, so that each call has to find its blocks without
 * help from the call before, as it must for new points.
 */
export function newPoints(options: OurOptions, devices: Devices): Contender {
  const one = backendContender('manybody', backend, options, devices)
  return {
    ...one,
    name: `blocks, ${options.precision}, ${options.threads}`,
    async prepare(problem) {
      const entry = await one.prepare(problem)
      return timedWith([undefined, bind(problem.workload, shuffled(problem)).bindings], entry)
    },
  }
}

/** The same points in random order. */
function shuffled({ particles, dimension, seed }: Problem): ParticleSet {
  const { position } = particles as { readonly position: Float32Array }
  const random = randomFrom(seed + 1)
  const order = Uint32Array.from({ length: position.length / dimension }, (_, n) => n)
  for (let n = order.length - 1; n > 0; n--) {
    const other = Math.floor(random() * (n + 1))
    const here = order[n] as number
    order[n] = order[other] as number
    order[other] = here
  }
  const moved = new Float32Array(position.length)
  for (const [place, point] of order.entries())
    for (let axis = 0; axis < dimension; axis++)
      moved[dimension * place + axis] = position[dimension * point + axis] as number
  return { dimension, position: moved }
}

/** Steps of a sample: LAMMPS makes new lists once in this many steps. */
export const stepsTogether = 20

/** Whole steps of `engine.simulate`, judged by the forces on the atoms before the first step. */
export const liquidSteps = ({ precision, threads }: OurOptions): Contender => ({
  name: `steps, ${precision}, ${threads}`,
  async prepare({ workload, particles }) {
    const engine = await createEngine({ backends: [backend], precision, threads })
    const { law, domain } = workload as PairWorkload
    const { boundary } = domain
    const simulation = await engine.simulate({
      law,
      particles: particles as ParticleSet,
      dt: liquid.dt,
      domain: { boundary, cutoff: liquid.cutoff },
    })
    const { report, ...results } = await engine.run(workload, particles as ParticleSet)
    return {
      who: {
        name: 'manybody',
        rival: false,
        device: report.device,
        kind: report.kind,
        precision,
        variant: report.variant,
        threads,
      },
      accuracy: report,
      resident: true,
      async run() {
        await simulation.step(stepsTogether)
        return undefined
      },
      async sample() {
        const start = performance.now()
        await simulation.step(stepsTogether)
        return { call: (performance.now() - start) / stepsTogether, parts: undefined }
      },
      results: async () => results as unknown as Results,
      dispose: () => engine.dispose(),
    }
  },
})
