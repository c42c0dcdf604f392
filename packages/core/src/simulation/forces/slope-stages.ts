/**
 * The stages that find the slopes of the energy by computed attributes: the sums over pairs that are parts of a slope, and maps that add
 * up all parts at each point.
 *
 * @module
 */
import { productOf, sumOf } from '../../language/canonical.ts'
import { differentiate } from '../../language/differentiate.ts'
import { toText } from '../../language/infix.ts'
import { constant, type Expr, symbol } from '../../language/nodes.ts'
import { simplify } from '../../language/simplify.ts'
import { map } from '../../problem/workloads/particle.ts'
import { type NumbersByName, ownerOf } from '../numbers/numbers.ts'
import { parametersIn, symbolsFor } from '../numbers/symbols.ts'
import { atTime } from './at-time.ts'
import type { Slope } from './energy-slopes.ts'
import { energyOfPoint } from './external-expressions.ts'
import type { ForceParts } from './force.ts'
import type { PairPart } from './pair-part.ts'
import type { EvaluationOptions, PlannedStage } from './planned-stage.ts'

/** A map adds at most this many sums to its own part, because devices bind few arrays to one program. */
const mostSums = 3

/** @param imaged gives the stages that copy the sources of a sum into other cells */
export function slopeStages(
  { slopes, external }: ForceParts,
  options: EvaluationOptions,
  imaged: (pair: PairPart) => readonly PlannedStage[],
): readonly PlannedStage[] {
  const { time, numbers } = options
  const energies = external.flatMap((force, n) => {
    if (force.kind !== 'external potential') return []
    const owner = ownerOf('External', n)
    const values = (...read: readonly Expr[]) => symbolsFor(owner, numbers[owner] as NumbersByName, ...read)
    return [atTime(energyOfPoint(force, values), time)]
  })
  return slopes.flatMap(({ array, by, sums, later }): readonly PlannedStage[] => {
    const ofPairs = sums.flatMap(({ array: into, pair }) => {
      const [result = ''] = pair.workload.results
      return [...imaged(pair), { workload: pair.workload, outputs: { [result]: into }, pair }]
    })
    const through = later.map(({ array: slope, expression }) =>
      productOf([symbol(slope), differentiate(atTime(expression, time), by)]),
    )
    const own = simplify(sumOf([...energies.map((energy) => differentiate(energy, by)), ...through]))
    return [...ofPairs, ...mapsOf(own, array, sums, options)]
  })
}

/** The maps that add sums to the part of a slope that a point has by itself. */
function mapsOf(
  own: Expr,
  array: string,
  sums: Slope['sums'],
  { time, numbers }: EvaluationOptions,
): readonly PlannedStage[] {
  const scaled = sums.map(({ array: from, pair }) => productOf([constant(pair.scale), symbol(from)]))
  const maps: PlannedStage[] = []
  for (let n = 0; n === 0 || n < scaled.length; n += mostSums) {
    const slope = sumOf([n === 0 ? own : symbol(array), ...scaled.slice(n, n + mostSums)])
    const parameters = { ...parametersIn([slope], numbers), ...time.numbersIn([slope]) }
    maps.push({ workload: map({ slope: toText(slope) }, parameters), outputs: { slope: array } })
  }
  return maps
}
