/**
 * The calls of tabulated functions in laws of bonds, angles and dihedrals, and the maps that look up their steps for each end: a bond at its
 * distance, an angle at any expression of the angle.
 *
 * @module
 */
import type { Curves } from '../../ground/curves.ts'
import { Remembered } from '../../ground/remember.ts'
import { powerOf } from '../../language/canonical.ts'
import { vectorsIn } from '../../language/fold-names.ts'
import {
  functionOf,
  isOfStep,
  lookupName,
  parseLookup,
  stepNumber,
  stepParts,
  wholeNumber,
  wholeParts,
} from '../../language/lookups.ts'
import { constant, type Expr, symbol, symbolsOf } from '../../language/nodes.ts'
import { substitute } from '../../language/simplify.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { expressionsOf, lookupsIn } from '../../problem/interactions/parse-interaction.ts'
import { vectorsOf } from '../../problem/interactions/vectors.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import { boxSymbols } from '../numbers/box.ts'
import type { NumbersByName, SimulationNumbers } from '../numbers/numbers.ts'
import { parametersIn, symbolsFor } from '../numbers/symbols.ts'
import { angleIn, callsIn } from './angle-law.ts'
import type { Angular } from './angles.ts'
import type { Bonds } from './bonds.ts'
import { numbersMap, stepMap } from './curve-calls.ts'
import type { Looked } from './curve-scope.ts'
import { type BondMap, endNames } from './end-names.ts'
import type { Links } from './ends.ts'
import { legOfBond } from './legs.ts'

const known = new Remembered<Interaction, readonly Looked[]>()

/** The calls of the law of links, which all lists with this law share. */
export const callsOfLinks = (links: Links): readonly Looked[] =>
  'bonds' in links ? known.of(links.law, () => callsOfBonds(links.law)) : callsIn(links.law)

/** The numbers that the host brings to each end of a bond: those of tables and of whole functions, for the kinds of both points, and sums over components of their vectors. */
export function lookupsOfEnds(law: Interaction): readonly string[] {
  const names = lookupsIn(law).flatMap((name) => {
    const { table = '', indices = [] } = parseLookup(name) ?? {}
    if (!isOfStep(name)) return [name]
    const of = functionOf(table) as string
    return indices.length === 0 ? [] : wholeParts.map((part) => wholeNumber(of, part, indices))
  })
  return [...new Set([...names, ...foldsOf(law)])].sort()
}

/** The sums over components of vectors that a law reads. */
const foldsOf = (law: Interaction): readonly string[] =>
  vectorsOf(law) ? [...symbolsOf(...Object.values(expressionsOf(law)))].filter((name) => vectorsIn(name)) : []

/** The numbers of functions that all bonds share, by their names in the law. */
export const sharedNumbers = ({ functions = {}, tables = {} }: Interaction): NumbersByName =>
  Object.fromEntries(
    Object.keys(functions).flatMap((name) =>
      wholeParts.flatMap((part) => {
        const whole = wholeNumber(name, part, [])
        const number = tables[whole]?.[0]
        return typeof number === 'number' ? [[whole, number] as const] : []
      }),
    ),
  )

/** The same for a map, which has them as parameters: a text may not have all of them as constants. */
export const sharedParameters = (law: Interaction): NumbersByName =>
  Object.fromEntries(Object.entries(sharedNumbers(law)).map(([name, number]) => [parameterOf(name), number]))

const parameterOf = (whole: string): string => `endFunction_${whole.replace('::', '_')}`

/** The numbers that stand in the term of a bond for its look-ups, and for the numbers of whole functions. */
export function lookedUpInBonds(law: Interaction): Readonly<Record<string, Expr>> {
  const values: Record<string, Expr> = {}
  for (const [n, name] of lookupsOfEnds(law).entries()) values[name] = symbol(endNames.table(n))
  for (const name of Object.keys(sharedNumbers(law))) values[name] = symbol(parameterOf(name))
  for (const [n, { table, indices }] of functionsOfBonds(law).entries())
    for (const part of stepParts) values[stepNumber(table, part, indices)] = symbol(`${endNames.curve(n)}${part}`)
  return values
}

/** The functions that a law of bonds reads, each with its kinds. */
function functionsOfBonds(
  law: Interaction,
): readonly { readonly table: string; readonly indices: readonly string[] }[] {
  const found = new Map<string, { readonly table: string; readonly indices: readonly string[] }>()
  for (const name of lookupsIn(law).filter(isOfStep)) {
    const { table = '', indices = [] } = parseLookup(name) ?? {}
    const one = { table: functionOf(table) as string, indices }
    found.set(lookupName(one), one)
  }
  return [...found.values()]
}

function callsOfBonds(law: Interaction): readonly Looked[] {
  const [values, shared] = [lookedUpInBonds(law), sharedNumbers(law)]
  return functionsOfBonds(law).map(({ table, indices }, n) => ({
    array: endNames.curve(n),
    name: table,
    curves: law.functions?.[table] as Curves,
    argument: symbol('r'),
    whole: (part) => {
      const name = wholeNumber(table, part, indices)
      return indices.length === 0 ? constant(shared[name] as number) : (values[name] as Expr)
    },
  }))
}

/** The maps that find the steps of the ends of bonds, each followed by the one that brings their numbers. */
export function bondCallMaps(bonds: Bonds, dimension: Dimension): readonly CallMaps[] {
  return callsOfLinks(bonds).map((call) => {
    const { r2, gather, vectors } = legOfBond(bonds, dimension)
    const argument = powerOf(r2, 0.5)
    const { outputs } = stepMap(call, argument)
    const step = gatherMap(outputs, gather, Object.fromEntries(boxSymbols(bonds.boundary)))
    return { call, argument, step: { workload: step, vectors }, numbers: { workload: numbersMap(call), vectors: [] } }
  })
}

/** The same for angles and dihedrals, whose arguments read the angle and parameters. */
export function angularCallMaps(
  links: Angular,
  owner: string,
  numbers: SimulationNumbers['parameters'],
): readonly CallMaps[] {
  const { law, attributes } = links
  const own = Object.keys(attributes).map((name) => [name, symbol(endNames.attribute(name))] as const)
  return callsOfLinks(links).map((call) => {
    const values = { ...symbolsFor(owner, numbers[owner] as NumbersByName, call.argument), ...Object.fromEntries(own) }
    const argument = substitute(call.argument, { ...values, [angleIn(law)]: symbol(endNames.angle) })
    const step = stepMap(call, argument, parametersIn([argument], numbers))
    return {
      call,
      argument,
      step: { workload: step, vectors: [] },
      numbers: { workload: numbersMap(call), vectors: [] },
    }
  })
}

export interface CallMaps {
  readonly call: Looked
  /** The argument in the numbers of the ends. */
  readonly argument: Expr
  readonly step: BondMap
  readonly numbers: BondMap
}
