/** The CPU backend as `near` times it: whole calls on other points each time, and steps of a simulation. */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import type { Precision } from '@manybody/core'
import type { Contender } from '../contender.ts'
import { backendContender, type Devices } from '../contenders/backend.ts'
import { timedWith } from '../contenders/choices.ts'
import { simulationContender } from '../contenders/simulation.ts'
import { liquid } from '../near-tasks.ts'
import type { ProblemSpec } from '../problem.ts'

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
 * The backend's own choice. Calls take turns between two sets of points, so that each call has to find its blocks without help from the
 * call before, as it must for new points.
 */
export function newPoints(options: OurOptions, spec: ProblemSpec, devices: Devices): Contender {
  const one = backendContender('manybody', backend, options, devices)
  return {
    ...one,
    name: `blocks, ${options.precision}, ${options.threads}`,
    prepare: async (problem) => timedWith(spec, 2, await one.prepare(problem)),
  }
}

/** Steps of a sample: LAMMPS makes new lists once in this many steps. */
export const stepsTogether = 20

/** Whole steps of `engine.simulate`. */
export const liquidSteps = ({ precision, threads }: OurOptions): Contender => ({
  ...simulationContender('manybody', backend, { precision, threads, dt: liquid.dt, together: stepsTogether }),
  name: `steps, ${precision}, ${threads}`,
})
