/**
 * The numbers that the expressions of a workload read by name: the parameters of the law and of the domain, and the places of tables.
 *
 * @module
 */
import { finite, onlyNamed } from '../../ground/checks.ts'
import { record } from '../../ground/names.ts'
import type { Tables } from '../../ground/table.ts'
import type { Interaction } from '../interactions/interaction.ts'
import { tableParameters } from './tables/layout.ts'
import type { Workload } from './workload.ts'

/** Every number that the expressions of a workload read by name. @param tables the tables of the run, by default the law's own */
export function parametersOf(
  workload: Workload,
  overrides: Readonly<Record<string, number>> = {},
  tables: Tables | undefined = workload.loop === 'pair' ? workload.law.tables : undefined,
): Readonly<Record<string, number>> {
  if (workload.loop !== 'pair') return given('parameters' in workload ? workload : { parameters: {} }, overrides)
  const { boundary, cutoff } = workload.domain
  const lengths = boundary.kind === 'periodic' ? boundary.lengths : []
  return {
    ...given(workload.law, overrides),
    ...(cutoff && { cutoff: cutoff.distance }),
    ...(cutoff?.switchDistance !== undefined && { switchDistance: cutoff.switchDistance }),
    ...Object.fromEntries(lengths.map((length, axis) => [`box${'XYZ'[axis]}`, length])),
    ...(tables && tableParameters(tables)),
  }
}

function given(
  { parameters, minimum }: Pick<Interaction, 'parameters' | 'minimum'>,
  overrides: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  onlyNamed(overrides, 'parameter of this workload', Object.keys(parameters))
  const least = record(Object.entries(minimum ?? {}))
  for (const [name, value] of Object.entries(overrides)) finite(value, name, least[name])
  return { ...parameters, ...overrides }
}

/** Whether two runs have the same parameters. */
export function sameParameters(
  some: Readonly<Record<string, number>>,
  others: Readonly<Record<string, number>>,
): boolean {
  const names = Object.keys(some)
  return names.length === Object.keys(others).length && names.every((name) => some[name] === others[name])
}
