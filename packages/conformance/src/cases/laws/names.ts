/**
 * Names that a language, a driver or a loop uses itself, chosen by a caller for attributes, parameters, components and
 * outputs. Core allows them, so they must work like any other.
 *
 * @module
 */
import { map, type ParticleSet, pairTerm, stencil, sum } from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

/** Tests a few at a time, because a device may bind only eight arrays. */
const groups: readonly (readonly string[])[] = [
  ['gl_x', 'a__b', 'a_U_b'],
  ['fn', 'uniform', 'ofTarget0'],
  ['constructor', 'toString', 'eval'],
  ['source', 'a_', 'L'.repeat(64)],
  ['p0', 'loaded1', `l${'_'.repeat(63)}`],
]

export function nameCases(): readonly Case[] {
  return groups.flatMap(casesFor)
}

function casesFor(names: readonly string[], seed: number): readonly Case[] {
  const group = names.map((name) => (name.length > 20 ? `${name.slice(0, 2)}... of ${name.length}` : name)).join(', ')
  const count = 70
  const random = randomOf(900 + seed)
  const arrays = Object.fromEntries(names.map((name) => [name, random.array(count, 0.5, 2)]))
  const total = names.join(' + ')
  const particles = { position: cloud({ count, seed, side: 4 }), ...arrays } as unknown as ParticleSet
  const byName = (expression: (name: string) => string) => Object.fromEntries(names.map((n) => [n, expression(n)]))
  const numbers = Object.fromEntries(names.map((name, n) => [name, 0.5 + n / 4]))
  const cells = [7, 10]
  const ofAttributes = pairTerm(byName((name) => `${name}_i*${name}_j/(1 + r2)`))()
  const ofParameters = pairTerm(`1/(${total} + r2)`, { parameters: numbers })()
  return [
    { name: `names of attributes and components: ${group}`, workload: sum(ofAttributes), particles },
    { name: `names of parameters: ${group}`, workload: sum(ofParameters), particles },
    { name: `names of maps: ${group}`, workload: map(byName((name) => `2*${name} + 1`)), particles },
    {
      name: `names of parameters of maps: ${group}`,
      workload: map({ value: `position*(${total})` }, numbers),
      particles: { position: particles.position },
    },
    {
      name: `names of stencils: ${group}`,
      workload: stencil(
        byName((name) => `c + ${name}*(xp - ym)`),
        { cells, spacing: 1 },
        numbers,
      ),
      particles: { field: random.array(70, -1, 1) },
    },
  ]
}
