/**
 * The design of a workload. No device is needed.
 *
 * @module
 */
import type { Shape, Workload } from '@manybody/core'
import { needsGuard } from '@manybody/core/backend'
import type { Dialect } from '../glsl/dialect.ts'
import type { ProgramDesign } from './design.ts'
import { elementDesign } from './element-design.ts'
import { pairDesign } from './pair-design.ts'

/** The design for the workload's own parameters. */
export function designOf(workload: Workload, shape: Shape, dialect: Dialect): ProgramDesign {
  if (workload.loop !== 'pair') return elementDesign(workload, shape)
  return pairDesign(workload, shape, dialect, needsGuard(workload, shape.dimension))
}
