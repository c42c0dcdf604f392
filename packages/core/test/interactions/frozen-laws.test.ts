// Laws never change, so calls take them as they are: everything in them is frozen, whatever they were made of.

import { expect, it } from 'vitest'
import { deepCopy } from '../../src/ground/deep-copy.ts'
import { sumOf } from '../../src/problem/interactions/composed/sum-of.ts'
import { pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { interactionOf } from '../../src/problem/interactions/from-data.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { inversePower } from '../../src/problem/interactions/inverse-power.ts'
import { lennardJones } from '../../src/problem/interactions/lennard-jones.ts'

const epsilon = [
  [1, 2],
  [2, 3],
]
const values = [3, 2, 1, 0.5, 0]
const laws = {
  gravity: gravity({ softening: 0.1 }),
  'a sum': sumOf(gravity(), inversePower({ exponent: 3 })),
  'a law with a table': pairPotential('e[kind_i, kind_j]/r', { tables: { e: epsilon } })(),
  'a law with a function': pairPotential('u(r)', { functions: { u: { from: 0, to: 3, values } } })(),
  'a law with vectors': pairTerm('dot(w, x_j)', { parameters: { w: [1, 2] } })(),
  'a law from data': interactionOf(structuredClone(lennardJones())),
}

function changeable(data: unknown, path: string): string[] {
  if (typeof data !== 'object' || data === null) return []
  const own = Object.isFrozen(data) ? [] : [path]
  return [...own, ...Object.entries(data).flatMap(([name, value]) => changeable(value, `${path}.${name}`))]
}

it.each(Object.entries(laws))('%s is frozen, and calls do not copy it', (_, law) => {
  expect(changeable(law, 'law')).toEqual([])
  expect(deepCopy({ law }).law).toBe(law)
})

it('calls copy a law that a caller has made, which may change', () => {
  const law = structuredClone(gravity())
  const copy = deepCopy(law)
  expect(copy).toEqual(law)
  expect(copy).not.toBe(law)
  expect(copy.parameters).not.toBe(law.parameters)
})
