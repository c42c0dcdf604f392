/**
 * Laws and maps of many attributes: more than any graphics device binds arrays. Sums of whole numbers show an attribute in the
 * place of another.
 *
 * @module
 */
import { energy, forces, map, matrix, pairPotential, pairTerm, periodic, reduce, sum } from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'

export function attributeCases(): readonly Case[] {
  return [...sums(), ...others(), ...maps()]
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `a${n}`)

/** Small whole numbers: no two attributes are equal. */
const numberOf = (point: number, n: number): number => ((3 * point + 1) * (n + 2) + Math.floor(point / 7)) % 11

const arraysFor = (count: number, attributes: number, first = 0): Record<string, Float64Array> =>
  Object.fromEntries(
    names(attributes).map((name, n) => [name, Float64Array.from({ length: count }, (_, p) => numberOf(first + p, n))]),
  )

/** A term that differs for every attribute, and for both sides. */
const product = (attributes: number): string =>
  names(attributes)
    .map((name, n) => (n % 3 === 0 ? `${name}_i` : n % 3 === 1 ? `${n}*${name}_j` : `${name}_i*${name}_j`))
    .join(' + ')

function termOf(attributes: number, i: number, j: number): number {
  let total = 0
  for (let n = 0; n < attributes; n++) {
    const [a, b] = [numberOf(i, n), numberOf(j, n)]
    total += n % 3 === 0 ? a : n % 3 === 1 ? n * b : a * b
  }
  return total
}

const term = (attributes: number) => pairTerm(product(attributes), { name: `${attributes} attributes` })()

/** Sums over the sources, for each target. Points after the targets are the sources, if these are others. */
function exactSums(attributes: number, targets: number, sources: number, first: number): { value: Float64Array } {
  const value = Float64Array.from({ length: targets }, (_, i) => {
    let total = 0
    for (let j = 0; j < sources; j++) if (first > 0 || i !== j) total += termOf(attributes, i, first + j)
    return total
  })
  return { value }
}

function sums(): readonly Case[] {
  const alone = (attributes: number, count: number): Case => ({
    name: `attributes: ${attributes} of each of ${count} points`,
    workload: sum(term(attributes)),
    particles: { position: cloud({ count, seed: attributes }), ...arraysFor(count, attributes) },
    exact: exactSums(attributes, count, count, 0),
  })
  return [
    ...[alone(7, 65), alone(8, 70), alone(16, 129), alone(40, 66), alone(64, 130), alone(64, 1)],
    {
      name: 'attributes: 64 of targets and of sources',
      workload: sum(term(64)),
      particles: {
        targets: { position: cloud({ count: 67, seed: 2 }), ...arraysFor(67, 64) },
        sources: { position: cloud({ count: 131, seed: 3 }), ...arraysFor(131, 64, 67) },
      },
      exact: exactSums(64, 67, 131, 67),
    },
    {
      name: 'attributes: 40 in parts',
      workload: sum(term(40)),
      particles: { position: cloud({ count: 140, seed: 4 }), ...arraysFor(140, 40) },
      parts: {
        targets: [
          [0, 60],
          [60, 140],
        ],
        sources: [
          [0, 33],
          [33, 140],
        ],
      },
      exact: exactSums(40, 140, 140, 0),
    },
  ]
}

function others(): readonly Case[] {
  const charges = pairPotential(
    `(${names(20)
      .map((name) => `${name}_i*${name}_j`)
      .join(' + ')})/(1 + r^2)`,
    {
      name: 'charges of 20 kinds',
    },
  )()
  const count = 300
  const particles = { position: cloud({ count, seed: 5 }), ...arraysFor(count, 20) }
  const domain = { boundary: periodic([2, 2, 2]), cutoff: 0.6 }
  const exclusions = Array.from({ length: count / 2 }, (_, n) => [2 * n, 2 * n + 1] as const)
  return [
    { name: 'attributes: forces of 20 charges', workload: forces(charges), particles, balanced: true },
    { name: 'attributes: energies of 20 charges', workload: energy(charges), particles },
    { name: 'attributes: 20 charges within a cutoff', workload: forces(charges, domain), particles },
    {
      name: 'attributes: 20 charges without some pairs',
      workload: forces(charges, { exclusions }),
      particles,
    },
    { name: 'attributes: a matrix of 20 charges', workload: matrix(charges), particles },
    {
      name: 'attributes: the least of 20 differences',
      workload: reduce(
        'argmin',
        pairTerm(
          names(20)
            .map((name) => `(${name}_i - ${name}_j)^2`)
            .join(' + '),
        )(),
      ),
      particles,
    },
  ]
}

function maps(): readonly Case[] {
  const total = names(64)
    .map((name, n) => `${n % 5}*${name}`)
    .join(' + ')
  const arrays = arraysFor(257, 64)
  const particles = { position: cloud({ count: 257, seed: 6 }), ...arrays }
  const sums = Float64Array.from({ length: 257 }, (_, p) =>
    names(64).reduce((sum, _, n) => sum + (n % 5) * numberOf(p, n), 0),
  )
  const outputs = Object.fromEntries(names(20).map((name, n) => [`b${n}`, `${name} + ${n}`]))
  const moved = Object.fromEntries(
    names(20).map((_, n) => [`b${n}`, Float64Array.from({ length: 257 }, (_, p) => numberOf(p, n) + n)]),
  )
  return [
    { name: 'attributes: a map of 64', workload: map({ value: total }), particles, exact: { value: sums } },
    { name: 'attributes: a map to 20 results', workload: map(outputs), particles, exact: moved },
  ]
}
