/**
 * Numbers of points that the host reads for a force: those of a cutoff, and those by which it finds the numbers of bonds. Steps change
 * some arrays on the device, where the host does not see it, so these must be others.
 *
 * @module
 */
import { attributesIn } from '../language/lookups.ts'
import { cutoffReads } from '../problem/workloads/cutoff.ts'
import { moving } from './arrays.ts'
import { isBonds } from './forces/bonds.ts'
import type { Force, ForceParts } from './forces/force.ts'
import { lookupsOfEnds } from './forces/link-calls.ts'
import type { Integrator } from './integrators.ts'

/**
 * @param forces all of the description, also bonds that have no pairs yet
 * @throws TypeError if a cutoff, or the vectors or kinds of a bond, are attributes that steps change
 */
export function requireKnownReads(
  { sums, computed }: ForceParts,
  forces: readonly Force[],
  { stages }: Integrator,
): void {
  const ofMaps = stages.flatMap((stage) => (stage.kind === 'map' ? Object.keys(stage.outputs) : []))
  const changing = new Set([...moving, ...ofMaps, ...computed.map(({ name }) => name)])
  for (const { workload } of sums) {
    const changed = cutoffReads(workload).find(
      (name) => changing.has(name) || changing.has(name.replace(/_[xyz]$/, '')),
    )
    if (changed !== undefined)
      throw new TypeError(
        `"cutoff" expected attributes that only a caller changes, got ${changed}, which steps change; give the longest cutoff as a number, and compare distances in the law`,
      )
  }
  for (const [n, force] of forces.entries()) {
    if (!isBonds(force)) continue
    const changed = lookupsOfEnds(force.law)
      .flatMap(attributesIn)
      .find(({ attribute }) => changing.has(attribute))
    if (changed)
      throw new TypeError(
        `"forces[${n}]" expected vectors and kinds of points that only a caller changes, got ${changed.attribute}, which steps change, in the bonds of ${force.law.name}; read it as a number, ${changed.attribute}_i or a component such as velocity_x_i, or without bonds`,
      )
  }
}
