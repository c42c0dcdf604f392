/**
 * The periodic box of a system: that of its forces.
 *
 * @module
 */
import type { Boundary } from '../../problem/workloads/domain.ts'
import type { ForceParts } from './force.ts'

/** The box of the forces between points; undefined if none has one. */
export function boxOfParts({ pairs, bonds, angular }: ForceParts): Boundary | undefined {
  const domains = [...pairs.map((part) => part.domain), ...bonds.map((part) => part.domain), ...angular]
  return domains.find(({ boundary }) => boundary?.kind === 'periodic')?.boundary
}
