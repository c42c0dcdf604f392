/**
 * The types and lengths of the result arrays of a workload, known before anything runs.
 *
 * @module
 */
import type { Precision } from '../../../ground/precision.ts'
import { ruleOf } from '../../reductions/table.ts'
import { lawFact } from '../law-facts.ts'
import type { Shape, Workload } from '../workload.ts'

export interface ResultArray {
  readonly Type: Float32ArrayConstructor | Float64ArrayConstructor | Int32ArrayConstructor | Uint32ArrayConstructor
  /** For lists 0, because their length depends on the points. */
  readonly length: number
  readonly listed?: true
}

/** The array that a device returns for each result, by name. For a total, these are the numbers that are added up. */
export function resultArrays(workload: Workload, shape: Shape, precision: Precision): ReadonlyMap<string, ResultArray> {
  const numbers = precision === 'f64' ? Float64Array : Float32Array
  const named = workload.loop === 'pair' || (workload.loop === 'particle' && workload.operation === 'cellIndex')
  const lists = workload.loop === 'pair' && ruleOf(workload).width === 'list'
  const typeOf = (name: string) => {
    if (named && name === 'index') return Int32Array
    return named && (name === 'count' || lists) ? Uint32Array : numbers
  }
  return new Map(
    workload.results.map((name): [string, ResultArray] => {
      const Type = typeOf(name)
      if (!lists) return [name, { Type, length: shape.targets * widthOf(workload, shape, name) }]
      return [name, name === 'offsets' ? { Type, length: shape.targets + 1 } : { Type, length: 0, listed: true }]
    }),
  )
}

/** How many numbers a result has for each target. */
function widthOf(workload: Workload, shape: Shape, name: string): number {
  const components = () => lawFact('components', workload, shape)[name] ?? 1
  if (workload.loop !== 'pair') return components()
  const { width } = ruleOf(workload)
  if (width === 'components') return components()
  if (width === 'k') return workload.k ?? 1
  return width === 'sources' ? shape.sources : 1
}
