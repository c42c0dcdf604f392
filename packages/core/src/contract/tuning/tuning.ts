/**
 * Chooses a plan by measurement, for backends. It keeps the fastest one by device, law and size class as plain data that a caller can
 * save for a later run.
 *
 * @module
 */

import { repeatsOf } from '../../problem/workloads/domain.ts'
import type { PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import type { OpenOptions, Plan } from '../backend.ts'
import type { Learned } from './learned.ts'

export type Effort = Exclude<NonNullable<OpenOptions['tune']>, 'off'>

/** How to time plans: makes the program of a plan (undefined if it cannot be used here), and measures it. */
interface PlanTimer<Program> {
  readonly prepare: (plan: Plan) => Promise<Program | undefined>
  readonly time: (program: Program) => Promise<number>
}

export interface Tuner {
  readonly learned: Learned
  /** The program of the plan that is known for a key, otherwise of the fastest candidate, timed now. */
  fastest<Program>(key: string, candidates: readonly Plan[], timer: PlanTimer<Program>): Promise<Program>
}

/** @param known plans that an earlier run learned */
export function createTuner(known: Learned = {}): Tuner {
  const learned: Record<string, Plan> = { ...known }
  return {
    learned,
    async fastest<Program>(
      key: string,
      candidates: readonly Plan[],
      { prepare, time }: PlanTimer<Program>,
    ): Promise<Program> {
      const found = learned[key] && (await prepare(learned[key]))
      if (found) return found
      let best: { readonly plan: Plan; readonly program: Program; readonly duration: number } | undefined
      for (const plan of candidates) {
        const program = await prepare(plan)
        if (!program) continue
        const duration = await time(program)
        if (!best || duration < best.duration) best = { plan, program, duration }
      }
      if (!best) throw new Error('no plan to time')
      learned[key] = best.plan
      return best.program
    },
  }
}

/**
 * The key that stores a plan. Sizes count in powers of two. Parameter values do not matter for speed.
 *
 * @param device everything about the device that matters for speed: its name, and how it was opened
 */
export function tuningKey(device: string, { law, quantity, reduction, k, domain }: PairWorkload, shape: Shape): string {
  const sizes = [shape.targets, shape.sources].map((n) => `2^${Math.round(Math.log2(Math.max(1, n)))}`)
  const space = [
    repeatsOf(domain.boundary),
    domain.cutoff ? 'cutoff' : '',
    domain.exclusions.length ? 'exclusions' : '',
  ]
  const what = [`${reduction}${k ?? ''} of ${quantity}`, JSON.stringify(law.expressions)]
  return [device, ...what, `${shape.dimension}-D`, ...sizes, ...space].filter(Boolean).join(', ')
}
