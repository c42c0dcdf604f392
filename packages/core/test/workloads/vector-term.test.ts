// A term that is a vector is divided into numbers of the pair, which a loop computes once, and a component.

import { expect, it } from 'vitest'
import { toText } from '../../src/language/infix.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { expressionsOf } from '../../src/problem/interactions/parse-interaction.ts'
import { dividedVector } from '../../src/problem/workloads/bodies/vector-term.ts'

const divided = (text: string) => {
  const [e] = Object.values(expressionsOf(pairTerm(text, { parameters: { p: 2, g: [1, 2] } })()))
  if (!e) throw new Error('expected an expression')
  const { numbers, component, vectors } = dividedVector(e, (name) => name === 'g')
  return { numbers: numbers.map(toText), component: toText(component), vectors }
}

it.each([
  ['vector(b_j)', [], 'b_j'],
  ['2*vector(b_j)', [], '2 * b_j'],
  ['p*m_j*r*vector(b_j)', 1, 'b_j * pair:0'],
  ['m_i*vector(p*b_j) + r', 2, undefined],
  ['vector(g*b_j)/r', 1, undefined],
])('%s', (text, numbers, component) => {
  const found = divided(text)
  expect(found.numbers).toHaveLength(typeof numbers === 'number' ? numbers : 0)
  expect(found.vectors).toEqual(['b_j'])
  if (component !== undefined) expect(found.component).toBe(component)
  // No number of the pair reads a component, and a component reads nothing else of the pair.
  for (const number of found.numbers) expect(number).not.toMatch(/\b(b_j|g)\b/)
  expect(found.component).not.toMatch(/\b(r2?|m_[ij]|p)\b/)
})
