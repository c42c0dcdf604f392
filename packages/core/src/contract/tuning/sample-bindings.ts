/**
 * Points for timing programs.
 *
 * @module
 */

import { record } from '../../ground/names.ts'
import { checkedData } from '../../problem/workloads/bind.ts'
import { bindingParts } from '../../problem/workloads/bind-parts.ts'
import { lawFact } from '../../problem/workloads/law-facts.ts'
import { asShaped } from '../../problem/workloads/numbers/device-numbers.ts'
import type { Particles } from '../../problem/workloads/particles.ts'
import { kindsIn } from '../../problem/workloads/tables/kinds.ts'
import type { Vectors } from '../../problem/workloads/vector-parameters.ts'
import type { PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import type { Bindings } from '../backend.ts'

/** Low-discrepancy steps: an irrational number for each axis, and one for attributes. */
const steps = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703]
const attributeStep = 0.6180339887498949

/** Points for timing programs: spread evenly, one unit or half a cutoff apart, with attributes between 0.5 and 1.5, of the first kind. */
export function sampleBindings(workload: PairWorkload, shape: Shape): Bindings {
  const [points, vectors] = [samplePoints(workload, shape), sampleVectors(workload, shape)]
  return asShaped(checkedData(workload, points, vectors, undefined, bindingParts)(), shape)
}

/** Vectors among the parameters, as long as those of points that they meet. */
function sampleVectors(workload: PairWorkload, shape: Shape): Vectors {
  const all = lawFact('vectors', workload, shape)?.groups.flatMap((group) => {
    const [length] = group.flatMap((name) => shape.lengths?.[name] ?? [])
    const own = group.filter((name) => Object.hasOwn(workload.law.vectors ?? {}, name))
    return own.map((name) => [name, Array.from(attributes(length ?? 1))] as const)
  })
  return record(all ?? [])
}

const attributes = (count: number) => Float32Array.from({ length: count }, (_, n) => 0.5 + ((n * attributeStep) % 1))

function samplePoints(workload: PairWorkload, shape: Shape): Particles {
  const { dimension, lengths } = shape
  const { distance = 2 } = workload.domain.cutoff ?? {}
  // A text reads attributes, which are near 1.
  const spacing = typeof distance === 'number' ? distance / 2 : 1
  const { targets, sources } = lawFact('reads', workload, shape)
  const kinds = kindsIn(lawFact('lookups', workload, shape) ?? [], workload.law.tables ?? {})
  const set = (count: number, names: readonly string[]) => {
    const edge = spacing * count ** (1 / dimension)
    const position = Float32Array.from({ length: count * dimension }, (_, n) => {
      const axis = n % dimension
      return edge * ((((n - axis) / dimension + 1) * (steps[axis] ?? 0)) % 1)
    })
    const kind = () => new Float32Array(count)
    const arrays = names.map((name) => [
      name,
      kinds.some((one) => one.attribute === name) ? kind() : attributes(count * (lengths?.[name] ?? 1)),
    ])
    return { dimension, position, ...Object.fromEntries(arrays), ...(lengths && { count }) }
  }
  if (shape.sameSet) return set(shape.targets, [...targets, ...sources])
  return { targets: set(shape.targets, targets), sources: set(shape.sources, sources) }
}
