/**
 * The common part of the laws of external forces, angles and dihedrals: expressions with parameters, and the attribute that divides the force.
 *
 * @module
 */
import { finite, hasNames, onlyNamed, unexpected } from '../../ground/checks.ts'
import type { Curves, Functions } from '../../ground/curves.ts'
import type { Known } from '../../ground/made-or-given.ts'
import { nameOf, numbersByName, record } from '../../ground/names.ts'
import { callable } from '../../language/syntax/operators.ts'
import { setNames } from '../../problem/interactions/interaction.ts'
import { functionsOfOne } from './curve-scope.ts'

/** A law with its parameters set. Plain frozen data, as an interaction is. */
export interface ForceLaw {
  readonly name: string
  readonly parameters: Readonly<Record<string, number>>
  /** Tabulated functions, which expressions read as `F(x)`. Absent if there are none. */
  readonly functions?: Functions
  /** The attribute that divides the force, such as `mass`. Without it, the inertia of the other forces divides it. */
  readonly inertia?: string
}

export interface ForceLawOptions<Parameter extends string = string> {
  /** The name in errors; by default the expression. */
  readonly name?: string
  /** The parameters and their default values. */
  readonly parameters?: Readonly<Record<Parameter, number>>
  /** Tabulated functions by name, which the text reads at any number: `F(density)`. A natural cubic spline joins the values. */
  readonly functions?: Readonly<Record<string, Curves>>
  /** The attribute that divides the force, such as `mass`. Without it, the inertia of the other forces divides it. */
  readonly inertia?: string
}

/** The properties of a kind of law. */
interface LawKind<L extends ForceLaw> {
  /** `an angle potential`, for messages. */
  readonly what: string
  /** The name that its expressions know besides the parameters. */
  readonly own: string
  readonly known: Known<L>
  /** Whether the points that it acts on have kinds, which may choose functions. */
  readonly kinds: 'kinds' | 'no kinds'
}

/**
 * @param parse checks the expressions, which know these parameters
 * @returns makes the law with values of its parameters
 */
export function defineLaw<L extends ForceLaw>(
  { what, own, known, kinds }: LawKind<L>,
  fixed: Omit<L, keyof ForceLaw> & { readonly expression: string | readonly string[] },
  options: ForceLawOptions,
  parse: (parameters: readonly string[], functions: Functions | undefined) => void,
): (values?: Readonly<Partial<Record<string, number>>>) => L {
  const {
    parameters: defaults = {},
    inertia,
    functions: tabulated,
    ...given
  } = onlyNamed(options, `option of ${what}`, ['name', 'parameters', 'functions', 'inertia'])
  numbersByName(defaults, ['pi', own])
  if (inertia !== undefined) nameOf(inertia, 'inertia', setNames)
  const names = Object.keys(defaults)
  const functions = tabulated === undefined ? undefined : functionsOfOne(tabulated, kinds)
  for (const one of Object.keys(functions ?? {})) nameOf(one, 'functions', ['pi', own, ...names, ...callable])
  parse(names, functions)
  const { name = [fixed.expression].flat().join(', ') } = given
  if (typeof name !== 'string' || name === '') throw unexpected('name', 'text', name)
  return (values) => {
    const set = record<unknown>(Object.entries(onlyNamed(values ?? {}, `parameter of ${name}`, names)))
    const all = { ...defaults, ...set } as Record<string, unknown>
    const parameters = Object.freeze(Object.fromEntries(names.map((one) => [one, finite(all[one], one)])))
    const more = { ...(functions && { functions }), ...(inertia !== undefined && { inertia }) }
    return known.made(Object.freeze({ ...fixed, name, parameters, ...more }) as never)
  }
}

/** The options that make this law again, from data. @param part the name of the data, for messages @throws TypeError */
export function optionsOf({ name, parameters, functions, inertia }: ForceLaw, part: string): ForceLawOptions {
  if (!hasNames(parameters)) throw unexpected(`${part}.parameters`, 'an object', parameters)
  return { name, parameters, ...(functions !== undefined && { functions }), ...(inertia !== undefined && { inertia }) }
}
