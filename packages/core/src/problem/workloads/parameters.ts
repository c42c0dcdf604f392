/**
 * The numbers that the expressions of a workload read by name: the parameters of the law and of the domain, and the places of tables.
 *
 * @module
 */
import { finite, onlyNamed } from '../../ground/checks.ts'
import { record } from '../../ground/names.ts'
import type { Tables } from '../../ground/table.ts'
import type { Interaction } from '../interactions/interaction.ts'
import { unsheared } from './cell.ts'
import { type Boundary, repeatOf } from './domain.ts'
import { tableParameters } from './tables/layout.ts'
import type { Workload } from './workload.ts'

/** Every number that the expressions of a workload read by name. @param tables the tables of the run, by default the law's own */
export function parametersOf(
  workload: Workload,
  overrides?: Readonly<Record<string, number>>,
  tables: Tables | undefined = workload.loop === 'pair' ? workload.law.tables : undefined,
): Readonly<Record<string, number>> {
  if (workload.loop !== 'pair') return given('parameters' in workload ? workload : { parameters: {} }, overrides)
  const { boundary, cutoff } = workload.domain
  return {
    ...given(workload.law, overrides),
    // The numbers of the points decide how far expressions reach (`cutoff-bound.ts`).
    ...(cutoff && { cutoff: typeof cutoff.distance === 'number' ? cutoff.distance : Number.POSITIVE_INFINITY }),
    ...(cutoff?.switchDistance !== undefined && { switchDistance: cutoff.switchDistance }),
    ...boxParameters(boundary),
    ...(tables && tableParameters(tables)),
  }
}

const boxNames = ['boxX', 'boxY', 'boxZ'] as const

/** The numbers of a box: its lengths along the axes that repeat, those of the right-angled one if it is triclinic. None in open space. */
export function boxParameters(boundary: Boundary): Readonly<Record<string, number>> {
  const lengths = boxNames.flatMap((name, axis) => {
    const length = repeatOf(boundary, axis)
    return length === undefined ? [] : [[name, length] as const]
  })
  return { ...Object.fromEntries(lengths), ...unsheared(boundary)?.parameters }
}

const open: readonly number[] = []

/** The lengths of the right-angled box of a run, axis by axis: 0 or none along axes that do not repeat, and empty in open space. */
export function boxesIn(parameters: Readonly<Record<string, number>>): readonly number[] {
  const { boxX, boxY, boxZ } = parameters
  if (boxX === undefined && boxY === undefined && boxZ === undefined) return open
  const lengths = [boxX ?? 0, boxY ?? 0, boxZ ?? 0]
  while (lengths.at(-1) === 0) lengths.pop()
  return lengths
}

function given(
  { parameters, vectors, minimum }: Pick<Interaction, 'parameters' | 'vectors' | 'minimum'>,
  overrides: Readonly<Record<string, number>> | undefined,
): Readonly<Record<string, number>> {
  if (overrides === undefined) return parameters
  onlyNamed(overrides, 'parameter of this workload', Object.keys({ ...parameters, ...vectors }))
  const least = record(Object.entries(minimum ?? {}))
  for (const [name, value] of Object.entries(overrides)) finite(value, name, least[name])
  return { ...parameters, ...overrides }
}

/** Whether two runs have the same parameters. */
export function sameParameters(
  some: Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, unknown>>,
): boolean {
  // Every run asks this, so it makes no lists of names.
  for (const name in some) if (some[name] !== others[name]) return false
  for (const name in others) if (!Object.hasOwn(some, name)) return false
  return true
}
