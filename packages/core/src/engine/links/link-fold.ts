/**
 * How the terms of the ends of links become results: folded at each point by the definition of the reduction, in float64, added up over
 * all links, or kept for each link.
 *
 * @module
 */
import { added } from '../../ground/arrays/added.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import { reductions } from '../../problem/reductions/table.ts'
import type { ArrayResults } from '../../problem/workloads/workload.ts'
import { membersOf } from '../../simulation/forces/ends.ts'
import type { Column } from '../../truth/folds/definition.ts'
import { definitions } from '../../truth/folds/definitions.ts'
import type { LinkEnds } from './link-ends.ts'
import { endsInTotal, foldedBy, type LinkWorkload } from './over-links.ts'

/** The results of all rows: points or links. A total is an array of one number. @param width the components of a term */
export function foldEnds(
  workload: LinkWorkload,
  { own, link, count }: Pick<LinkEnds, 'own' | 'link' | 'count'>,
  points: number,
  terms: FloatArray,
  width: number,
): ArrayResults {
  const { links, reduction, results } = workload
  const [name = ''] = results
  const operation = foldedBy(reduction)
  const { scale } = links
  if (reduction === 'each') return { [name]: Float64Array.from(terms).map((term) => scale * term) }
  if (operation === undefined) return { [name]: Float64Array.of((added(terms) * scale) / endsInTotal(links)) }
  const columns = Object.entries(reductions[operation].results).map(([result, value]): Column => {
    if (result === 'index') return new Int32Array(points).fill(value)
    return new Float64Array(points * width).fill(value)
  })
  const [first, second = first] = columns as [Column, Column?]
  const { add, finish } = definitions[operation].fold(width, first, second)
  const term = new Float64Array(width)
  for (let end = 0; end < count; end++) {
    for (let c = 0; c < width; c++) term[c] = scale * (terms[end * width + c] as number)
    add(own[end] as number, link[end] as number, term)
  }
  finish?.()
  if (reduction === 'mean') divide(first, degreesOf(own, points), width)
  return Object.fromEntries(results.map((result, n) => [result, columns[n] as Column]))
}

/** The results in the precision of an engine. */
export const inPrecision = (results: ArrayResults, precision: Precision): ArrayResults =>
  precision === 'f64'
    ? results
    : Object.fromEntries(
        Object.entries(results).map(([name, array]) => [
          name,
          array instanceof Float64Array ? new Float32Array(array) : array,
        ]),
      )

function divide(sums: Column, degrees: Uint32Array, width: number): void {
  for (const [n, sum] of sums.entries()) sums[n] = sum / Math.max(1, degrees[Math.floor(n / width)] as number)
}

/** How many ends each point has. */
function degreesOf(own: Float64Array, points: number): Uint32Array {
  const degrees = new Uint32Array(points)
  for (const point of own) degrees[point] = (degrees[point] as number) + 1
  return degrees
}

/** `bond 7`, for messages. */
export const nameOfLink = ({ links }: LinkWorkload, link: number): string =>
  `${'bonds' in links ? 'bond' : 'angles' in links ? 'angle' : 'dihedral'} ${link}, ${membersOf(links)[link]?.join('-')},`
