/**
 * The error of a sum through a mesh, measured on some targets with another split: another reach, a wider band and a finer grid have other
 * errors, about a hundred times smaller.
 *
 * @module
 */
import type { Bindings } from '../../contract/backend.ts'
import type { Shape } from '../../problem/workloads/workload.ts'
import { type Sampled, sampled } from '../tolerance/sampled.ts'
import type { MeshKernels } from './kernels.ts'

/** The targets that measure a run. They have lists if pairs are excluded, or if a scalar must leave out the target itself. */
export function judgesOf(
  kernels: MeshKernels,
  shape: Shape,
  bindings: Bindings,
  wanted: number,
  self: boolean,
): Sampled {
  const weights = kernels.weights.map((value, n) => ({ attribute: `weight${n}`, value }))
  // A vector vanishes at its own target, and a loop without lists is several times as fast.
  const skipsSelf = self && kernels.list.some(({ axis }) => axis === undefined)
  return sampled({ weights, skipsSelf }, shape, bindings, wanted)
}
