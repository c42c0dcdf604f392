/**
 * The design of a workload, and the designs for all guards of a typed law: the door to this half. No device is needed.
 *
 * @module
 */
import type { Plan, Shape, Workload } from '@manybody/core'
import { type Guard, guardBy, requireSupport } from '@manybody/core/backend'
import { componentsOf, guardRule } from '@manybody/core/expression'
import { type GuardedDesigns, loopVariant, type ProgramDesign } from '../../design/design.ts'
import type { DeviceFacts } from '../../design/facts.ts'
import { type Dialect, dialectOf } from '../glsl/dialect.ts'
import { elementDesign } from './element-design.ts'
import { matrixDesign } from './matrix-design.ts'
import { naiveDesign, naiveGap, naiveVariant } from './naive-design.ts'
import { pairDesign } from './pair-design.ts'

/** The design for one guard, by default the guard that the workload's own parameters need. */
export function designOf(
  workload: Workload,
  shape: Shape,
  dialect: Dialect,
  guard: Guard = guardBy(guardRule(workload, shape)),
): ProgramDesign {
  if (workload.loop !== 'pair') return elementDesign(workload, shape, dialect)
  const design = workload.reduction === 'none' ? matrixDesign : pairDesign
  return design(workload, shape, dialect, guard)
}

/**
 * The designs of a workload that the device supports.
 *
 * @throws {@link UnsupportedWorkloadError} if the device has no such variant
 * @throws RangeError if the plan has sizes, because no loop has any
 */
export function designsOf(
  workload: Workload,
  shape: Shape,
  facts: DeviceFacts,
  plan: Plan = { variant: loopVariant },
): GuardedDesigns {
  const rule = guardRule(workload, shape)
  if (plan.variant === naiveVariant && workload.loop === 'pair') {
    const gap = naiveGap(workload, componentsOf(workload, shape.dimension))
    if (gap !== undefined) requireSupport('webgl', workload, { ok: false, reason: gap })
    requireNoSizes(plan)
    return { rule, of: (guard) => naiveDesign(workload, shape, guard) }
  }
  if (plan.variant !== loopVariant)
    requireSupport('webgl', workload, {
      ok: false,
      reason: `this backend has no variant "${plan.variant}"; use "${loopVariant}"`,
    })
  requireNoSizes(plan)
  const dialect = dialectOf(facts)
  return { rule, of: (guard) => designOf(workload, shape, dialect, guard) }
}

function requireNoSizes({ sizes = {} }: Plan): void {
  const names = Object.keys(sizes)
  if (names.length > 0)
    throw new RangeError(`"sizes" expected none, because loops on WebGL have no sizes, got ${names.join(', ')}`)
}
