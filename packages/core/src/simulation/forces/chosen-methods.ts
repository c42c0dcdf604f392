/**
 * Chooses the methods of forces that may be computed by any: in a box a mesh, and in open space a mesh or a tree, by an estimate for the
 * points at the start. A snapshot has the choice.
 *
 * @module
 */

import type { Device } from '../../contract/backend.ts'
import { costsOf, type Hurried, withMesh, withTree } from '../../methods/fast/choose.ts'
import { kernelsOf } from '../../methods/mesh/kernels.ts'
import { transformerOf } from '../../methods/mesh/open-space.ts'
import type { Method } from '../../problem/workloads/workload.ts'
import { type BoundSimulation, boundWith, type ClockedState } from '../state.ts'
import type { PairPart } from './pair-part.ts'

/** The same simulation with a tree or a mesh in place of any method. @throws TypeError, RangeError for wrong options */
export function withChosenMethods(bound: BoundSimulation, device: Device): BoundSimulation {
  const { state, parts } = bound
  const chosen = new Map<unknown, Method>()
  for (const part of parts.pairs)
    if (part.method?.kind === 'fast') chosen.set(part.method, chosenFor(part, state, device))
  const replaced = <T extends object>(options: T): T => {
    const method = chosen.get((options as { readonly method?: Method }).method)
    return method ? { ...options, method } : options
  }
  const { forces, domain } = state
  return boundWith(bound, {
    ...state,
    ...(forces && { forces: forces.map(replaced) }),
    ...(domain && { domain: replaced(domain) }),
  })
}

function chosenFor({ workload, method }: PairPart, { arrays, dimension }: ClockedState, device: Device): Method {
  const given = { ...workload, method } as Hurried
  if (given.domain.boundary.kind === 'periodic') return withMesh(given).method
  const position = new Float64Array(arrays.position as Float64Array)
  const points = { sources: position, targets: position }
  const { tolerance } = given.method
  try {
    if (dimension === 3) kernelsOf(workload, { dimension })
  } catch {
    // The tree says what does not suit the law.
    return withTree(given).method
  }
  const { tree, mesh } = costsOf(given, dimension, tolerance, points, transformerOf(device))
  return (mesh < tree ? withMesh : withTree)(given).method
}
