/** Turns a visitor's text into a law, or into a message that names the fault and its place. */

import { type Interaction, pairForce, pairPotential, pairTerm } from 'manybody'
import type { LawText, Scene } from '../scenes/scene.ts'

export interface TypedLaw {
  readonly expressions: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, number>>
}

/** @throws ExpressionError, TypeError, RangeError from the constructors of laws */
export function lawOf({ law }: Scene, typed: TypedLaw): Interaction {
  const { kind, inertia } = law
  const options = { name: 'typed law', parameters: Object.keys(law.parameters), ...(inertia && { inertia }) }
  const { energy = '', x = '', y = '', z } = typed.expressions
  if (kind === 'potential') return pairPotential(energy, options)(typed.parameters)
  if (kind === 'term') return pairTerm(typed.expressions, options)(typed.parameters)
  return pairForce({ x, y, ...(z !== undefined && { z }) }, options)(typed.parameters)
}

export const firstLaw = ({ expressions, parameters }: LawText): TypedLaw => ({
  expressions,
  parameters: Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value])),
})

/** An attribute that the law reads and the points lack, with the names of the points' attributes. */
export function missingAttribute({ expressions }: TypedLaw, attributes: readonly string[]) {
  for (const [name, text] of Object.entries(expressions)) {
    for (const { 1: attribute = '', index } of text.matchAll(/\b([A-Za-z]\w*)_[ij]\b/g)) {
      if (!attributes.includes(attribute)) return { expression: name, attribute, column: index + 1 }
    }
  }
  return undefined
}
