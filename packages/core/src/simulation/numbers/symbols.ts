/**
 * Parameters in the maps of a simulation. A map has a symbol for each, so that other numbers compile nothing, unless its number shapes the
 * map. A number does this if it is 0, so that parts of the force cancel, or an exponent, or a factor or a summand of the time. A clock
 * keeps the digits of such a time.
 *
 * @module
 */
import { children, constant, type Expr, nodesOf, symbol, symbolsOf } from '../../language/nodes.ts'
import { once } from '../../language/rebuild.ts'
import { time } from '../typed-at-once.ts'
import type { NumbersByName, SimulationNumbers } from './numbers.ts'

/** By the place of a parameter, because a name may be as long as names may be. */
export const symbolAt = (owner: string, place: number): string => `${owner}N${place}`

/** Parameters of a force in a map: a symbol, or the number if that shapes the map. */
export function symbolsFor(
  owner: string,
  parameters: NumbersByName,
  ...read: readonly Expr[]
): Readonly<Record<string, Expr>> {
  const shaping = shapingNames(parameters, read)
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value], place) => [
      name,
      shaping.has(name) ? constant(value) : symbol(symbolAt(owner, place)),
    ]),
  )
}

/** The parameters with numbers that shape the expressions. The expressions read the parameters by their names. */
function shapingNames(parameters: NumbersByName, read: readonly Expr[]): ReadonlySet<string> {
  const names = Object.keys(parameters)
  const shaping = new Set(names.filter((name) => parameters[name] === 0))
  if (names.length === 0) return shaping
  const arithmetic = symbolsOutsideCalls()
  for (const node of nodesOf(...read)) {
    const [, exponent] = node.kind === 'call' && node.name === 'pow' ? node.args : []
    const beside = exponent ? symbolsOf(exponent) : besideTime(node, arithmetic)
    for (const name of names) if (beside.has(name)) shaping.add(name)
  }
  return shaping
}

/** The symbols that are added to the time or multiplied with it. */
function besideTime(e: Expr, arithmetic: Names): ReadonlySet<string> {
  if (e.kind !== 'sum' && e.kind !== 'product') return none
  const found = arithmetic(e)
  return found.has(time) ? found : none
}

type Names = (e: Expr) => ReadonlySet<string>

const none: ReadonlySet<string> = new Set()

/** Finds the symbols of an expression outside of calls. */
function symbolsOutsideCalls(): Names {
  const names: Names = once((e) => {
    if (e.kind === 'symbol') return new Set([e.name])
    return e.kind === 'call' ? none : new Set(children(e).flatMap((child) => [...names(child)]))
  })
  return names
}

/** The parameters that expressions read by their symbols, with their numbers. */
export function parametersIn(expressions: readonly Expr[], numbers: SimulationNumbers['parameters']): NumbersByName {
  const found: Record<string, number> = {}
  const names = symbolsOf(...expressions)
  for (const [owner, parameters] of Object.entries(numbers))
    for (const [place, value] of Object.values(parameters).entries())
      if (names.has(symbolAt(owner, place))) found[symbolAt(owner, place)] = value
  return found
}

/**
 * Whether other numbers of angles, dihedrals and external forces change the form of maps. @param read the parameters that maps read by their symbols
 */
export function reshapes(
  before: SimulationNumbers['parameters'],
  now: SimulationNumbers['parameters'],
  read: ReadonlySet<string>,
): boolean {
  return Object.entries(now).some(([owner, parameters]) => {
    if (parameters === before[owner] || !/^simulation(Angular|External)/.test(owner)) return false
    const earlier = Object.values(before[owner] as NumbersByName)
    return Object.values(parameters).some((value, place) => {
      if (value === earlier[place]) return false
      return value === 0 || earlier[place] === 0 || !read.has(symbolAt(owner, place))
    })
  })
}

/** The parameters of a map with the numbers of now. Those that belong to no force keep theirs. */
export function parametersNow(parameters: NumbersByName, numbers: SimulationNumbers['parameters']): NumbersByName {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const [, owner = '', place = ''] = /^(simulation[A-Z][a-z]+\d+)N(\d+)$/.exec(name) ?? []
      return [name, Object.values(numbers[owner] ?? {})[Number(place)] ?? value]
    }),
  )
}
