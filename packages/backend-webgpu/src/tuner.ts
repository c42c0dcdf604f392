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
import { pairRecipe } from './pair-recipe.ts'
import { candidatePlans, type PairCase, type PairPlan, planData, planOf } from './plan.ts'
import { encode, type Recipe, type Step } from './recipe.ts'

/** The fastest plan by adapter, law and size class. Survives `JSON.stringify`. */
export type Learned = Readonly<Record<string, Plan>>

export interface Tuner {
  readonly learned: Learned
  /** The plan to use, timed now if it is not known. */
  plan(workload: PairWorkload, shape: Shape, c: PairCase): Promise<PairPlan>
}

/** Interactions of one timing: a few milliseconds. */
const sampleSize = { hardware: 2e9, software: 1e5, cpu: 1e5 } as const
const repetitions = 3

export function createTuner(
  host: GpuHost,
  memory: Memory,
  effort: Exclude<NonNullable<OpenOptions['tune']>, 'off'>,
  known: Learned,
): Tuner {
  const learned: Record<string, Plan> = { ...known }
  return {
    learned,
    async plan(workload, shape, c) {
      const key = keyOf(host, workload, shape)
      const found = learned[key]
      if (found) return planOf(found, c)
      let best: { readonly plan: PairPlan; readonly milliseconds: number } | undefined
      for (const plan of candidatePlans(c, effort)) {
        const recipe = await pairRecipe(host, workload, shape, plan)
        const milliseconds = await time(host, memory, recipe, workload, shape)
        if (!best || milliseconds < best.milliseconds) best = { plan, milliseconds }
      }
      if (!best) throw new Error('no plan to time')
      learned[key] = planData(best.plan)
      return best.plan
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
    const { bindings } = bind(workload, pointsFor(recipe, shape))
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
  await host.device.queue.onSubmittedWorkDone()
  host.check()
  return performance.now() - start
}

/** Points spread over a unit box (R2-like sequences, one irrational per axis), with every attribute at 1. */
function pointsFor(recipe: Recipe, shape: Shape): Parameters<typeof bind>[1] {
  const steps = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703]
  const set = (side: string, count: number) => {
    const position = Float32Array.from({ length: count * shape.dimension }, (_, n) => {
      const axis = n % shape.dimension
      return (((n - axis) / shape.dimension + 1) * (steps[axis] ?? 0)) % 1
    })
    const names = recipe.inputs.flatMap((key) => (key.startsWith(`${side}.`) ? [key.slice(side.length + 1)] : []))
    const ones = names.filter((name) => name !== 'position').map((name) => [name, new Float32Array(count).fill(1)])
    return { dimension: shape.dimension, position, ...Object.fromEntries(ones) }
  }
  if (shape.sameSet) return set('points', shape.targets)
  return { targets: set('targets', shape.targets), sources: set('sources', shape.sources) }
}
