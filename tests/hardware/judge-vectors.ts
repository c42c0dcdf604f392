// Tests whether WebGPU computes random laws of vectors on this GPU: by the plans of its model, and component by component in the largest tiles.

import { type Backend, createEngine, type Plan } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { meetsByComponents, vectorFaults } from '../support/random/vector-faults.ts'
import { randomVectors } from '../support/random/vectors.ts'

export interface JudgedVectors {
  /** How many runs there were. */
  readonly vectors: number
  readonly faults: readonly string[]
}

/** For any fold, and for sums. */
const shared: Plan = { variant: 'shared-components' }
const inRegisters: readonly Plan[] = [
  { variant: 'components' },
  { variant: 'components', sizes: { workgroup: 64, slices: 8, targets: 8, unroll: 8, parts: 3 } },
]

export async function judgeVectors(backend: Backend, seeds: number, signal: AbortSignal): Promise<JudgedVectors> {
  const engine = await createEngine({ backends: [backend], crossover: false })
  const faults: string[] = []
  let vectors = 0
  try {
    for (let seed = 1; seed <= seeds && !signal.aborted; seed++) {
      const problem = randomVectors(seed)
      const { shape } = bind(problem.workload, problem.particles)
      const { reduction } = problem.workload
      const meets = !problem.divided && reduction !== 'none' && meetsByComponents(problem.workload, shape)
      const some = reduction === 'sum' ? [shared, ...inRegisters] : [shared]
      for (const plan of [undefined, ...(meets ? some : [])]) {
        const found = await vectorFaults(engine, problem, plan).catch((error: unknown) => [String(error)])
        if (found === undefined) continue
        vectors++
        const how = plan ? `, ${JSON.stringify(plan)}` : ''
        faults.push(...found.map((fault) => `random law of vectors, seed ${seed}${how}: ${fault}`))
      }
    }
  } finally {
    engine.dispose()
  }
  return { vectors, faults }
}
