/**
 * Parameters that are expressions of the time: ramps, pulses, a bath that cools. The simulation computes such a number as an attribute of
 * each point before its forces, and what had the parameter reads the attribute in its place.
 *
 * @module
 */
import { unexpected } from '../../ground/checks.ts'
import { ExpressionError } from '../../ground/errors.ts'
import { productOf, sumOf } from '../../language/canonical.ts'
import { parseFinite } from '../../language/finite-constants.ts'
import { foldBody } from '../../language/fold-bodies.ts'
import { toText } from '../../language/infix.ts'
import { constant, dependsOn, symbol, symbolsOf } from '../../language/nodes.ts'
import { simplify, substitute } from '../../language/simplify.ts'
import { interactionOf } from '../../problem/interactions/from-data.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { expressionsToWrite } from '../../problem/interactions/parse-interaction.ts'
import { pointScope } from '../../problem/workloads/outputs.ts'
import type { ComputedAttributes, ComputedSum } from '../forces/computed.ts'
import type { ForceLaw } from '../forces/define-law.ts'
import { time } from '../forces/external-force.ts'
import type { Force } from '../forces/force.ts'
import type { ClockedState } from '../state.ts'
import type { NumberNames, ParameterPlace, TimeExpressions } from './changes.ts'
import { ofIntegrator } from './numbers.ts'

/** The description with these expressions. @throws TypeError, RangeError, {@link ExpressionError} */
export function withExpressions(state: ClockedState, expressions: TimeExpressions, names: NumberNames): ClockedState {
  let now = state
  for (const [name, given] of Object.entries(expressions))
    now = Object.hasOwn(state.computed ?? {}, name)
      ? { ...now, computed: { ...now.computed, [name]: textOf(name, given, state.computed) } }
      : withPlace(now, name, { text: textOf(name, given), place: names.placeOf(name) })
  return now
}

/** @throws TypeError, {@link ExpressionError} unless it is an expression of the time, or a number in place of one */
function textOf(name: string, given: unknown, earlier: ComputedAttributes = {}): string {
  const before = earlier[name]
  if (before !== undefined && (typeof before !== 'string' || others(before).length > 0))
    throw new TypeError(`"${name}" expected an expression of the time in its place, but it is computed for each point`)
  if (typeof given === 'number') return toText(constant(given))
  const text = given as string
  const stranger = others(text)[0]
  if (stranger !== undefined)
    throw new ExpressionError(
      `"${name}" expected an expression of time alone, such as "1 + 0.1*time", but it reads ${stranger}; write numbers into the text`,
      text,
      text.search(new RegExp(`\\b${stranger}\\b`)),
    )
  if (!dependsOn(simplify(parsed(text)), time))
    throw unexpected(name, 'a number, or an expression of time, such as "1 + 0.1*time"', given)
  return text
}

const parsed = (text: string) => parseFinite(text, pointScope([]))

const others = (text: string) => [...symbolsOf(parsed(text))].filter((name) => name !== time)

/** The description in which an attribute takes the place of a parameter. */
function withPlace(
  state: ClockedState,
  name: string,
  { text, place }: { readonly text: string; readonly place: ParameterPlace },
): ClockedState {
  const { path, own, title } = place
  if (Object.hasOwn(state.arrays, own))
    throw new TypeError(`"${name}" expected a parameter whose name no attribute has, as an attribute takes its place`)
  const computed: ComputedAttributes = { [own]: text, ...state.computed }
  const { forces, law, integrator } = state
  if (path === ofIntegrator) return { ...state, computed, integrator: withoutParameter(integrator, own) }
  const [, sum] = /^computed\.(.+)$/.exec(path) ?? []
  if (sum !== undefined) {
    const one = computed[sum] as ComputedSum
    return { ...state, computed: { ...computed, [sum]: { ...one, law: reading(one.law, own, name) } } }
  }
  if (!forces) return { ...state, computed, law: reading(law as Interaction, own, name) }
  const n = Number(/\d+/.exec(path)?.[0])
  return {
    ...state,
    computed,
    forces: forces.map((force, k) => (k === n ? ofForce(force, own, { name, title }) : force)),
  }
}

function ofForce(force: Force, own: string, { name, title }: { readonly name: string; readonly title: string }): Force {
  if ('kind' in force && /^external /.test(force.kind)) return withoutParameter(force as ForceLaw, own) as Force
  const { law } = force as { readonly law: Interaction | ForceLaw }
  if (!('expressions' in law))
    throw new TypeError(
      `"${name}" expected a number, as angles and dihedrals read no attributes (${title}); set it between steps`,
    )
  return { ...force, law: reading(law, own, name) } as Force
}

/** A law of pairs that reads an attribute of both points in place of a parameter. Their mean is the same in both orders of a pair. */
function reading(law: Interaction, own: string, name: string): Interaction {
  const mean = productOf([constant(1 / 2), sumOf([symbol(`${own}_i`), symbol(`${own}_j`)])])
  const expressions = Object.entries(expressionsToWrite(law)).map(([role, e]) => {
    const folded = [...symbolsOf(e)].some((one) => dependsOn(foldBody(one) ?? constant(0), own))
    if (folded) throw new TypeError(`"${name}" expected a number, because a sum over components of vectors reads it`)
    return [role, toText(substitute(e, { [own]: mean }))]
  })
  return interactionOf({ ...withoutParameter(law, own), expressions: Object.fromEntries(expressions) })
}

interface WithParameters {
  readonly parameters?: Readonly<Record<string, number>>
  readonly minimum?: Readonly<Partial<Record<string, number>>>
}

function withoutParameter<T extends WithParameters>(given: T, name: string): T {
  const { parameters = {}, minimum } = given
  const without = <N>({ [name]: _, ...rest }: Readonly<Record<string, N>>) => rest
  return { ...given, parameters: without(parameters), ...(minimum && { minimum: without(minimum) }) }
}
