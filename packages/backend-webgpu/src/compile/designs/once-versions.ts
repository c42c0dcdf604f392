/**
 * The shaders that meet each pair once.
 *
 * @module
 */

import type { PairBody } from '@manybody/core/expression'
import { namedTape } from '@manybody/core/expression'
import type { Field } from '../../design/shader.ts'
import { describeOnce } from '../../designs/loaded-at-once.ts'
import { onceFields, onceFold, pairsOnceLoop } from '../loops/pairs-once-loop.ts'
import { hostText } from '../wgsl/operators.ts'
import { combine, pairTexts, sumFoldOf } from './loaded-at-once.ts'
import type { WriteOnce } from './pair-parts.ts'

export const onceVersion: WriteOnce = (workload, { dimension }, plan, oneWay) => {
  const body: PairBody = { ...oneWay, terms: [...oneWay.terms, ...oneWay.reaction] }
  const options = { body, dimension, fold: onceFold(dimension), sameSet: true, exclusions: false }
  const tail = pairTexts({ ...options, within: (r) => `max(there, at_${r}) < run.targetCount` })
  const run = body.run.map(({ name, expr }): Field => ({ name, type: 'f32', note: hostText(expr) }))
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describeOnce(plan)}`
  const whole = pairTexts(options)
  return {
    shaders: {
      loop: pairsOnceLoop(label, { whole, tail }, dimension, plan, run),
      combine: combine(`${label}: second reduction`, whole, sumFoldOf(workload, dimension), [...onceFields, ...run]),
    },
    run: namedTape(body.run),
  }
}
