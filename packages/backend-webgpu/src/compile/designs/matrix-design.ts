/**
 * The design of an interaction matrix.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape } from '@manybody/core'
import type { Guard } from '@manybody/core/backend'
import { guardRule, pairBody } from '@manybody/core/expression'
import type { MatrixDesign, MatrixVersion } from '../../design/design.ts'
import type { LoopLimits } from '../../design/facts.ts'
import type { Field } from '../../design/shader.ts'
import { versionFor } from '../../design/versions.ts'
import { derived, versionsFor } from '../../designs/lazily.ts'
import { columnsPerGroup, matrixFold, matrixLoop, matrixWorkgroup, rowsPerGroup } from '../loops/matrix-loop.ts'
import { pairTexts } from '../parts/pair-texts.ts'

/** @param software whether a software GPU may compile it @throws RangeError if the caller gives a plan */
export function matrixDesign(
  workload: PairWorkload,
  shape: Shape,
  plan: Plan | undefined,
  { limits, software }: { readonly limits: LoopLimits; readonly software: boolean },
): MatrixDesign {
  if (plan)
    throw new RangeError(`"plan" expected none, because a matrix has only one loop, got ${JSON.stringify(plan)}`)
  const rule = guardRule(workload, shape)
  const written = versionsFor(rule, (guard) => writtenMatrix(workload, shape, guard, software))
  return {
    driver: 'matrix',
    variant: `matrix (workgroup ${matrixWorkgroup}, columns ${columnsPerGroup}, rows ${rowsPerGroup})`,
    accumulation: 'none',
    inputs: versionFor({ versions: written, guard: rule }).inputs,
    results: [{ name: 'value', type: 'f32', width: shape.sources }],
    guard: rule,
    versions: derived(written, ({ version }) => version),
    arrayBytes: Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize),
    rowsPerGroup,
    columnsPerGroup,
  }
}

function writtenMatrix(
  workload: PairWorkload,
  shape: Shape,
  guard: Guard,
  software: boolean,
): { readonly version: MatrixVersion; readonly inputs: readonly string[] } {
  const body = pairBody(workload, shape, { guard })
  const exclusions = workload.domain.exclusions.length > 0
  const { dimension, sameSet, lengths } = shape
  const placed = !lengths || shape.vectors.includes('position')
  const texts = pairTexts({
    body,
    dimension,
    fold: matrixFold,
    sameSet,
    exclusions,
    placed,
    ...(lengths && { lengths }),
  })
  const run = body.run.map(({ name }): Field => ({ name, type: 'f32' }))
  const loop = matrixLoop(`${workload.law.name}, matrix`, texts, run, {
    exclusions,
    looping: body.folds.length > 0,
    software,
  })
  return { version: { shaders: { loop }, run: body.run }, inputs: texts.resources.map((r) => r.key) }
}
