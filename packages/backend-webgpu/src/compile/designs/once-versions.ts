/**
 * The shaders that meet each pair once, and the facts of a workload that decide whether they may.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { GuardRule } from '@manybody/core/backend'
import { guardRule, onceObstacle, type PairBody, pairBody, Remembered, termOf } from '@manybody/core/expression'
import type { OnceVersion } from '../../design/design.ts'
import type { Field } from '../../design/shader.ts'
import { type Versions, versionFor } from '../../design/versions.ts'
import { derived, versionsFor } from '../../designs/lazily.ts'
import type { OnceLoops } from '../../designs/pair-loops.ts'
import { describeOnce, type OnceFacts, type OncePlan } from '../../plans/once-plan.ts'
import { foldOf } from '../folds/folds.ts'
import { combine } from '../loops/combine.ts'
import { onceFields, onceFold, pairsOnceLoop } from '../loops/pairs-once-loop.ts'
import { pairTexts } from '../parts/pair-texts.ts'
import { hostText } from '../wgsl/operators.ts'
import { withoutCounts } from './pair-problem.ts'

/** A workload that may meet each pair once. Its bodies have the term for the target and the term for the source. */
interface OnceProblem {
  readonly workload: PairWorkload
  readonly shape: Shape
  readonly guard: GuardRule
  readonly bodies: Versions<PairBody>
}

const known = new Remembered<PairWorkload, OnceLoops>()
const shaders = new Remembered<Versions<PairBody>, Versions<OnceVersion>>()

/** The same for every number of points. */
export const onceLoops = (workload: PairWorkload, shape: Shape): OnceLoops =>
  known.of(workload, () => loopsOf(workload, shape), withoutCounts(shape))

function loopsOf(workload: PairWorkload, shape: Shape): OnceLoops {
  const options = { reaction: true, factorOut: false }
  const guard = guardRule(workload, shape)
  const bodies = versionsFor(guard, (one) => pairBody(workload, shape, { guard: one, ...options }))
  const problem = { workload, shape, guard, bodies }
  return {
    facts: factsOf(problem),
    versions: (plan) => {
      const make = () => derived(bodies, (body) => onceVersion(workload, shape, plan, body))
      return shaders.of(bodies, make, JSON.stringify(plan))
    },
  }
}

/** Each fact is derived when it is first read, because most workloads need neither. */
function factsOf({ workload, shape, guard, bodies }: OnceProblem): OnceFacts {
  return {
    get obstacle() {
      const radial = termOf(workload, shape.dimension).form === 'radial'
      return onceObstacle(workload, shape) ?? (radial ? undefined : 'its term is not radial')
    },
    get registers() {
      return 2 * shape.dimension + versionFor({ versions: bodies, guard }).target.length
    },
  }
}

function onceVersion(workload: PairWorkload, { dimension }: Shape, plan: OncePlan, oneWay: PairBody): OnceVersion {
  const body: PairBody = { ...oneWay, terms: [...oneWay.terms, ...oneWay.reaction] }
  const options = { body, dimension, fold: onceFold(dimension), sameSet: true, exclusions: false }
  const tail = pairTexts({ ...options, within: (r) => `max(there, at_${r}) < run.targetCount` })
  const run = body.run.map(({ name, expr }): Field => ({ name, type: 'f32', note: hostText(expr) }))
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describeOnce(plan)}`
  const whole = pairTexts(options)
  return {
    shaders: {
      loop: pairsOnceLoop(label, { whole, tail }, dimension, plan, run),
      combine: combine(`${label}: second reduction`, whole, foldOf(workload, dimension), [...onceFields, ...run]),
    },
    run: body.run,
  }
}
