// What is measured, in which order: size by size, law by law; then what a device with the least limits would do.

import type { Plan } from '@manybody/core'
import { bestPlans, ladderPlans } from './ladder.ts'
import { type Case, cases } from './laws.ts'
import type { GpuOptions, PlanSet } from './options.ts'

export interface Stage {
  readonly what: Case
  readonly n: number
  /** Beside the one that the backend chooses. */
  readonly plans: readonly Plan[]
  /** Within the limits that every device has. */
  readonly defaultLimits?: true
  /** Whether CUDA computes it too. */
  readonly cuda: boolean
}

/** Of the sizes: up to here many plans, and other limits; up to here every variant. */
const [mostTuned, mostLaddered] = [262144, 65536]

export function stagesOf({ sizes, laws, set }: GpuOptions): readonly Stage[] {
  const wanted = cases.filter(({ name }) => laws.includes(name))
  const ascending = [...sizes].sort((a, b) => a - b)
  const all = ascending.flatMap((n) => wanted.filter(({ most }) => n <= most).map((what) => stageOf(what, n, set)))
  const limited = all
    .filter(({ what, n }) => what.limited && n <= mostTuned && set !== 'chosen')
    .map((stage): Stage => ({ ...stage, plans: [], defaultLimits: true, cuda: false }))
  return [...all, ...limited]
}

function stageOf(what: Case, n: number, set: PlanSet): Stage {
  const tuned = what.tuned === true && n <= mostTuned
  return { what, n, plans: tuned ? plansOf(what, n, set) : [], cuda: tuned }
}

/** Every variant is tried for gravity alone, unless only that was asked for. */
function plansOf({ name }: Case, n: number, set: PlanSet): readonly Plan[] {
  const best = set === 'all' || set === 'best' ? bestPlans(n) : []
  const ladder = (set === 'all' && name === 'gravity' && n <= mostLaddered) || set === 'ladder' ? ladderPlans(n) : []
  return [...best, ...ladder]
}
