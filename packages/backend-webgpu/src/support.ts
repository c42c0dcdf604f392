/**
 * Checks whether the limits of a device allow a workload.
 *
 * @module
 */
import type { PairWorkload, Shape, Support, Workload } from '@manybody/core'
import { lawFact, makesLists, mapArrays } from '@manybody/core/backend'
import { arrayOf } from './design/arrays.ts'
import { boundArrays } from './design/shared-arrays.ts'

const yes: Support = { ok: true }
const no = (reason: string): Support => ({ ok: false, reason })

/** The most neighbours per target, because each invocation keeps them in private memory. */
const mostNeighbours = 256

export function supportOf(workload: Workload, shape: Shape, limits: GPUSupportedLimits): Support {
  const room = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
  const points = Math.max(shape.targets, workload.loop === 'pair' ? shape.sources : 0)
  const longest = Math.max(shape.dimension, ...Object.values(shape.lengths ?? {}))
  const input = 4 * points * (workload.loop === 'grid' ? 1 : longest)
  if (input > room)
    return no(`an array of ${points} points needs ${input} bytes, device limit is ${room}; use fewer points`)
  const shared = sharedBytes(workload, shape)
  if (shared > room)
    return no(
      `its arrays share a binding of ${shared} bytes, device limit is ${room}; use fewer points or a law or map that reads fewer attributes`,
    )
  if (workload.loop !== 'pair') return yes
  if (shape.ranged) return no('its loops read no ranges, so they run range by range; cpu-wasm is faster for many')
  if (workload.reduction === 'none') {
    const row = 4 * shape.sources
    return row > room
      ? no(`a row of the matrix needs ${row} bytes, device limit is ${room}; use fewer sources or cpu-wasm`)
      : yes
  }
  const k = workload.k ?? 1
  if (k > mostNeighbours)
    return no(`it asks for ${k} neighbours per target, this backend finds at most ${mostNeighbours}; use cpu-wasm`)
  const result = 4 * shape.targets * Math.max(k, shape.dimension)
  if (result > room) return no(`its result needs ${result} bytes, device limit is ${room}; compute targets in ranges`)
  return yes
}

/** The most bytes of arrays that share a binding; 0 if each has its own. A buffer is longer than its array by an eighth at most. */
function sharedBytes(workload: Workload, shape: Shape): number {
  const { inputs, others } = workload.loop === 'pair' ? pairArrays(workload, shape) : elementArrays(workload, shape)
  if (inputs.length + others.length <= boundArrays) return 0
  const points = Math.max(shape.targets, workload.loop === 'pair' ? shape.sources : 0)
  const vectors = new Set([...shape.vectors, 'position', 'positionLow', ...workload.results])
  const numbers = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + (shape.lengths?.[name] ?? (vectors.has(name) ? shape.dimension : 1)), 0)
  return 4.5 * points * Math.max(numbers(inputs), numbers(others))
}

/** The arrays of a program by name. */
interface ArrayNames {
  readonly inputs: readonly string[]
  readonly others: readonly string[]
}

function elementArrays(workload: Exclude<Workload, PairWorkload>, shape: Shape): ArrayNames {
  const others = workload.results
  if (workload.loop === 'grid' || workload.operation === 'cellIndex') return { inputs: ['position'], others }
  const { own, gathered } = mapArrays(workload, shape)
  return { inputs: [...own, ...gathered], others }
}

/** A loop over lists writes the counters of the lists, a split loop binds partial folds, and other loops the packed sources. */
function pairArrays(workload: PairWorkload, shape: Shape): ArrayNames {
  const { targets, sources } = lawFact('reads', workload, shape)
  const arrays = (names: readonly string[]) => [...new Set(['position', ...names.map(arrayOf)])]
  const inputs = shape.sameSet ? arrays([...targets, ...sources]) : [...arrays(targets), ...arrays(sources)]
  const others = [
    'scratch',
    ...workload.results,
    ...(makesLists(workload) ? ['counters'] : []),
    ...(workload.domain.exclusions.length > 0 ? ['excluded sources', 'their offsets'] : []),
    ...(workload.law.tables ? ['tables'] : []),
  ]
  return { inputs, others }
}
