/**
 * Whether the programs of a simulation can compute with other cutoffs. This decides neither which forces share a pass nor how many
 * images a box has.
 *
 * @module
 */
import { partsOf } from '../forces/force.ts'
import { passesOf } from '../forces/one-pass.ts'
import type { PairPart } from '../forces/pair-part.ts'
import type { BoundSimulation } from '../state.ts'
import { cellsNow, cutoffNow, cutoffsIn } from './cutoffs.ts'
import { withNumbers } from './description.ts'
import type { SimulationNumbers } from './numbers.ts'

type Bound = Pick<BoundSimulation, 'state' | 'parts'>

/**
 * Whether the programs for some numbers compute with others, too. Other cutoffs may part the forces of a pass or join those of two, may
 * need other images of the box, or may belong to a method, which was prepared for its own.
 *
 * @throws TypeError, RangeError for cutoffs that the simulation cannot have
 */
export function keepsPasses(bound: Bound, before: SimulationNumbers, now: SimulationNumbers): boolean {
  const [some, others] = [cutoffsIn(before), cutoffsIn(now)]
  if (some.join() === others.join()) return true
  const { parts } = bound
  const cutoffOf = (pair: PairPart, numbers: SimulationNumbers) => JSON.stringify(cutoffNow(pair, numbers))
  if (parts.sums.some((pair) => pair.method && cutoffOf(pair, before) !== cutoffOf(pair, now))) return false
  // To group the forces again takes half a millisecond, which a cutoff of every frame should not pay.
  const grouped = equalitiesOf(some) === equalitiesOf(others) || groupsAlike(bound, now)
  return grouped && cellsNow(parts, before) === cellsNow(parts, now)
}

/** Which cutoffs are equal. Passes depend on nothing else that changes. */
const equalitiesOf = (cutoffs: readonly string[]): string => cutoffs.map((one) => cutoffs.indexOf(one)).join()

function groupsAlike({ state, parts }: Bound, now: SimulationNumbers): boolean {
  const { sums } = partsOf(withNumbers(state, now), state.integrator.motion ?? 'second-order')
  return passesOf(parts.sums) === passesOf(sums)
}
