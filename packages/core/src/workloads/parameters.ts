/**
 * The numbers that the expressions of a workload read by name: its own parameters and those of its domain.
 *
 * @module
 */
import { finite, onlyNamed } from '../checks.ts'
import type { Workload } from './workload.ts'

/** Every number that the expressions of a workload read by name. */
export function parametersOf(
  workload: Workload,
  overrides: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  if (workload.loop === 'particle' && workload.operation === 'cellIndex') return {}
  const own = workload.loop === 'pair' ? workload.law.parameters : workload.parameters
  onlyNamed(overrides, 'parameter of this workload', Object.keys(own))
  for (const [name, value] of Object.entries(overrides)) finite(value, name)
  const domain: Record<string, number> = {}
  if (workload.loop === 'pair') {
    const { boundary, cutoff } = workload.domain
    if (cutoff) domain.cutoff = cutoff.distance
    if (cutoff?.switchDistance !== undefined) domain.switchDistance = cutoff.switchDistance
    const lengths = boundary.kind === 'periodic' ? boundary.lengths : []
    for (const [axis, length] of lengths.entries()) domain[`box${'XYZ'[axis]}`] = length
  }
  return { ...own, ...overrides, ...domain }
}
