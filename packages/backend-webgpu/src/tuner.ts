/**
 * Which plan is fastest here: times a handful of candidates once on points of its own, and remembers the winner per
 * adapter, law and size class. What it learned is plain data, to be saved and given to a later run.
 *
 * @module
 */
import type { OpenOptions, PairWorkload, Plan, Shape } from '@manybody/core'
import { bind } from '@manybody/core/backend'
import type { GpuHost } from './gpu-host.ts'
import { uploadInputs } from './gpu-program.ts'
import type { Memory } from './memory.ts'
import { encode, type Recipe, type Step } from './recipe.ts'
import { samplePoints } from './sample-points.ts'

/** The fastest plan by adapter, law and size class. Survives `JSON.stringify`. */
export type Learned = Readonly<Record<string, Plan>>

export type Effort = Exclude<NonNullable<OpenOptions['tune']>, 'off'>

export interface Tuner {
  readonly learned: Learned
  /**
   * The recipe to use: of the plan that is known, or of the fastest candidate, timed now.
   *
   * @param recipeOf undefined for a plan that cannot be used here
   */
  recipe(
    workload: PairWorkload,
    shape: Shape,
    candidates: (effort: Effort) => readonly Plan[],
    recipeOf: (plan: Plan) => Promise<Recipe | undefined>,
  ): Promise<Recipe>
}

/** Interactions of one timing: a few milliseconds. */
const sampleSize = { hardware: 2e9, software: 1e5, cpu: 1e5 } as const
const repetitions = 3

export function createTuner(host: GpuHost, memory: Memory, effort: Effort, known: Learned): Tuner {
  const learned: Record<string, Plan> = { ...known }
  return {
    learned,
    async recipe(workload, shape, candidates, recipeOf) {
      const key = keyOf(host, workload, shape)
      const found = learned[key] && (await recipeOf(learned[key]))
      if (found) return found
      let best: { readonly plan: Plan; readonly recipe: Recipe; readonly milliseconds: number } | undefined
      for (const plan of candidates(effort)) {
        const recipe = await recipeOf(plan)
        if (!recipe) continue
        const milliseconds = await time(host, memory, recipe, workload, shape)
        if (!best || milliseconds < best.milliseconds) best = { plan, recipe, milliseconds }
      }
      if (!best) throw new Error('no plan to time')
      learned[key] = best.plan
      return best.recipe
    },
  }
}

/** Sizes count in powers of two; parameter values do not change what is fastest. */
function keyOf({ info }: GpuHost, { law, quantity, reduction, k, domain }: PairWorkload, shape: Shape): string {
  const sizes = [shape.targets, shape.sources].map((n) => `2^${Math.round(Math.log2(Math.max(1, n)))}`)
  const space = [domain.boundary.kind, domain.cutoff ? 'cutoff' : '', domain.exclusions.length ? 'exclusions' : '']
  const what = [`${reduction}${k ?? ''} of ${quantity}`, JSON.stringify(law.expressions)]
  return [info.name, ...what, `${shape.dimension}-D`, ...sizes, ...space].filter(Boolean).join(', ')
}

/** The shortest of a few runs of the recipe's first step. */
async function time(
  host: GpuHost,
  memory: Memory,
  recipe: Recipe,
  workload: PairWorkload,
  shape: Shape,
): Promise<number> {
  const lease = memory.lease()
  try {
    const { bindings } = bind(workload, samplePoints(recipe.inputs, shape, 1))
    const buffers = await uploadInputs(host, recipe, bindings, lease)
    const results = recipe.results(bindings, {}, true)
    for (const { name, held } of results) buffers.set(`result.${name}`, await lease.array(4 * held))
    const budget = () => sampleSize[host.info.kind]
    const steps = recipe.steps({ host, bindings, options: {}, buffers, lease, budget }, results)
    const first = await steps[Symbol.asyncIterator]().next()
    if (first.done) return 0
    let best = Number.POSITIVE_INFINITY
    for (let n = 0; n <= repetitions; n++) {
      const milliseconds = await submit(host, first.value)
      // The first run still compiles in some drivers.
      if (n > 0) best = Math.min(best, milliseconds)
    }
    return best / first.value.interactions
  } finally {
    lease.release()
  }
}

async function submit(host: GpuHost, step: Step): Promise<number> {
  const start = performance.now()
  await host.guarded('time a plan', () => {
    const encoder = host.device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    encode(pass, step.dispatches)
    pass.end()
    host.device.queue.submit([encoder.finish()])
  })
  await host.finished()
  return performance.now() - start
}
