/**
 * The passes that compute a workload, in the order in which they run. No device is needed.
 *
 * @module
 */
import type { Shape, Workload } from '@manybody/core'
import { needsGuard } from '@manybody/core/backend'
import type { Dialect } from '../glsl/dialect.ts'
import type { PassSource } from '../glsl/pass-source.ts'
import { elementDesign } from './element-design.ts'
import { pairDesign } from './pair-design.ts'

/** The passes for the workload's own parameters. */
export function passesOf(workload: Workload, shape: Shape, dialect: Dialect): readonly PassSource[] {
  if (workload.loop !== 'pair') return [elementDesign(workload, shape).pass]
  const { pack, loop } = pairDesign(workload, shape, dialect, needsGuard(workload, shape.dimension))
  return [pack, loop]
}
