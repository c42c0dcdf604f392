/**
 * Chooses the methods of forces that may be computed by any: in a box a mesh, and in open space a mesh, a tree or all pairs, by an estimate
 * for the points at the start. A snapshot has the choice.
 *
 * @module
 */
import type { Device } from '../../contract/backend.ts'
import { costsOf, type Hurried, unlessRefusal, withMesh, withTree } from '../../methods/fast/choose.ts'
import { kernelsOf } from '../../methods/mesh/kernels.ts'
import { MeshPlans } from '../../methods/mesh/mesh-plan.ts'
import { leastTolerance } from '../../methods/mesh/mesh-program.ts'
import { settingFor, spaceFor } from '../../methods/mesh/open-space.ts'
import { transformerOf } from '../../methods/mesh/transformer.ts'
import { approximationOf } from '../../methods/tolerance/approximate.ts'
import { checkedMethod } from '../../methods/tolerance/checked-method.ts'
import { deriveTreeFacts } from '../../methods/tolerance/derive-tree-facts.ts'
import type { Dimension, Method } from '../../problem/workloads/workload.ts'
import { boundWith } from '../bound-simulation.ts'
import type { BoundSimulation, ClockedState } from '../state.ts'
import type { PairPart } from './pair-part.ts'

/** The same simulation with the chosen methods. @throws TypeError, RangeError for wrong options, and for laws that suit no box */
export function withChosenMethods(bound: BoundSimulation, device: Device): BoundSimulation {
  const { state, parts } = bound
  const chosen = new Map<unknown, Method | undefined>()
  for (const part of parts.pairs)
    if (part.method?.kind === 'fast') chosen.set(part.method, chosenFor(part, state, device))
  const replaced = <T extends { readonly method?: Method | undefined }>(options: T): T => {
    const { method: before, ...rest } = options
    if (!chosen.has(before)) return options
    const method = chosen.get(before)
    return { ...rest, ...(method && { method }) } as T
  }
  const { forces, domain } = state
  return boundWith(bound, {
    ...state,
    ...(forces && { forces: forces.map((force) => replaced(force as object) as typeof force) }),
    ...(domain && { domain: replaced(domain) }),
  })
}

/** Undefined for all pairs. */
function chosenFor(
  { workload, method }: PairPart,
  { arrays, dimension }: ClockedState,
  device: Device,
): Method | undefined {
  const given = { ...workload, method } as Hurried
  const { tolerance } = checkedMethod(given.method, 'fast')
  if (given.domain.boundary.kind === 'periodic') return withMesh(given).method
  const position = new Float64Array(arrays.position as Float64Array)
  const places = { sources: position, targets: position }
  const sources = position.length / dimension
  const transformer = transformerOf(device)
  const { allPairs, tree, mesh } = costsOf(given, { dimension, sources }, tolerance, () => places, transformer)
  const meets = tolerance >= leastTolerance[device.info.precision]
  if (mesh < Math.min(tree, allPairs) && meets && suits(() => planned(given, places, dimension, device)))
    return withMesh(given).method
  const shape = { dimension, sameSet: true }
  const byTree = () => approximationOf(withTree(given), deriveTreeFacts(withTree(given), shape))
  return tree < allPairs && suits(byTree) ? withTree(given).method : undefined
}

/** The plan of a mesh, which tells whether its law is smooth. */
function planned(
  given: Hurried,
  places: { sources: Float64Array; targets: Float64Array },
  dimension: Dimension,
  device: Device,
): void {
  const { law, method } = given
  const kernels = kernelsOf(given, { dimension })
  const setting = settingFor(method.tolerance)
  const { space } = spaceFor(setting, kernels, places, transformerOf(device))
  new MeshPlans().of({ kernels, law, parameters: law.parameters }, setting, 'f32', space)
}

function suits(make: () => unknown): boolean {
  try {
    make()
    return true
  } catch (error) {
    return unlessRefusal(error, false)
  }
}
