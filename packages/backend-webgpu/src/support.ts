/**
 * Checks whether the limits of a device allow a workload.
 *
 * @module
 */
import type { PairWorkload, Shape, Support, Workload } from '@manybody/core'
import { lawFact, makesLists, mapArrays } from '@manybody/core/backend'
import { arrayOf } from './design/arrays.ts'

const yes: Support = { ok: true }
const no = (reason: string): Support => ({ ok: false, reason })

/** The most neighbours per target, because each invocation keeps them in private memory. */
const mostNeighbours = 256

export function supportOf(workload: Workload, shape: Shape, limits: GPUSupportedLimits): Support {
  const room = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
  const points = Math.max(shape.targets, workload.loop === 'pair' ? shape.sources : 0)
  const input = 4 * points * (workload.loop === 'grid' ? 1 : shape.dimension)
  if (input > room)
    return no(`an array of ${points} points needs ${input} bytes, device limit is ${room}; use fewer points`)
  const arrays = arraysOf(workload, shape)
  const most = limits.maxStorageBuffersPerShaderStage
  if (arrays > most)
    return no(`it binds ${arrays} arrays, device limit is ${most}; use a law or map that reads fewer attributes`)
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

/** The most arrays that a program of the workload binds at once. */
function arraysOf(workload: Workload, shape: Shape): number {
  if (workload.loop === 'pair') return pairArrays(workload, shape)
  const outputs = workload.results.length
  if (workload.loop === 'grid' || workload.operation === 'cellIndex') return 1 + outputs
  const { own, gathered } = mapArrays(workload, shape)
  return own.length + gathered.length + outputs
}

function pairArrays(workload: PairWorkload, shape: Shape): number {
  const read = lawFact('reads', workload, shape)
  const [targets, sources] = [read.targets, read.sources].map((names) => new Set(names.map(arrayOf))) as [
    Set<string>,
    Set<string>,
  ]
  const attributes = shape.sameSet ? new Set([...targets, ...sources]).size + 1 : targets.size + sources.size + 2
  // A loop over lists writes the counters of the lists besides the results. Exclusions are two arrays. A split loop also binds
  // its partial folds, and other loops the packed sources. All tables are one array.
  const results = workload.results.length + (makesLists(workload) ? 1 : 0)
  const others = (workload.domain.exclusions.length ? 2 : 0) + (workload.law.tables ? 1 : 0)
  return attributes + others + 1 + results
}
