/**
 * The lengths and tilts of the periodic box as numbers of a simulation. Programs read them, so a box that grows compiles nothing.
 *
 * @module
 */
import type { Boundary } from '../../problem/workloads/domain.ts'
import { boxParameters } from '../../problem/workloads/parameters.ts'
import type { Workload } from '../../problem/workloads/workload.ts'
import type { NumbersByName, SimulationNumbers } from './numbers.ts'
import { symbolAt } from './symbols.ts'

/** The owner of the numbers of the box. */
const ofBox = 'simulationBox0'

/** The names of the box in maps: its lengths along the axes that repeat, and its tilts. */
export function boxSymbols(boundary: Boundary): readonly (readonly [string, number])[] {
  if (boundary.kind === 'open') return []
  const { lengths, tilts = [] } = boundary
  return [...lengths, ...tilts].flatMap((number, place) =>
    number === 0 ? [] : [[symbolAt(ofBox, place), number] as const],
  )
}

/** The name of the length along an axis, or of a tilt, in maps. @param place lengths come before tilts */
export const boxSymbol = (place: number): string => symbolAt(ofBox, place)

/** The numbers of a box by their owner; none without a box. */
export function numbersOfBox(box: Boundary | undefined): SimulationNumbers['parameters'] {
  if (box?.kind !== 'periodic') return {}
  return { [ofBox]: { ...numbered([...box.lengths, ...(box.tilts ?? [])]), factor: 1 } }
}

const numbered = (all: readonly number[]): NumbersByName =>
  Object.fromEntries(all.map((number, place) => [`${place}`, number]))

/** The factor by which the box was last scaled, in maps, with its number. */
export function factorIn({ parameters }: SimulationNumbers): readonly [string, number] {
  const { [ofBox]: { factor = 1, ...all } = {} } = parameters
  return [symbolAt(ofBox, Object.keys(all).length), factor]
}

/** A boundary of forces as it is now. Every periodic one is the box. */
export function boundaryNow(boundary: Boundary, { parameters }: Pick<SimulationNumbers, 'parameters'>): Boundary {
  const { [ofBox]: own } = parameters
  if (boundary.kind === 'open' || !own) return boundary
  const { lengths, tilts } = boundary
  const at = (place: number) => own[`${place}`] as number
  return Object.freeze({
    ...boundary,
    lengths: Object.freeze(lengths.map((_, axis) => at(axis))),
    ...(tilts && { tilts: Object.freeze(tilts.map((_, n) => at(lengths.length + n))) }),
  })
}

/** The numbers with a box of other lengths, in proportion. */
export function scaledBox(numbers: SimulationNumbers, factor: number): SimulationNumbers {
  const { [ofBox]: { factor: _, ...own } = {} } = numbers.parameters
  const scaled = numbered(Object.values(own).map((number) => factor * number))
  return { ...numbers, parameters: { ...numbers.parameters, [ofBox]: { ...scaled, factor } } }
}

/** Some numbers with the box of others. */
export function inBoxOf(numbers: SimulationNumbers, { parameters }: SimulationNumbers): SimulationNumbers {
  const { [ofBox]: own } = parameters
  return own ? { ...numbers, parameters: { ...numbers.parameters, [ofBox]: own } } : numbers
}

/** The parameters of a workload with the box of now. */
export function parametersInBox(
  workload: Workload,
  parameters: NumbersByName,
  numbers: SimulationNumbers,
): NumbersByName {
  if (workload.loop !== 'pair' || workload.domain.boundary.kind === 'open') return parameters
  return { ...parameters, ...boxParameters(boundaryNow(workload.domain.boundary, numbers)) }
}
