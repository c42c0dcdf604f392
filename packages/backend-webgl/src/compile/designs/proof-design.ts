/**
 * The design of the sum that proves a device (`run/programs/proof.ts`). A test writes these designs into
 * `run/programs/proof-designs.ts`, so that opening a device does not load this half.
 *
 * @module
 */
import { pairTerm, type Shape, sum } from '@manybody/core'
import type { PairDesign } from '../../design/design.ts'
import type { DeviceFacts } from '../../design/facts.ts'
import { dialectOf } from '../glsl/dialect.ts'
import { pairDesign } from './pair-design.ts'

const workload = sum(pairTerm('sign_j * (top - low_j) + dx + 2*dy + 4*dz', { parameters: { top: 1 } })())

export function proofDesign(facts: DeviceFacts, shape: Shape): PairDesign {
  // As with many points, several targets at a time.
  return pairDesign(workload, shape, { ...dialectOf(facts), tileRows: 1 }, false)
}
