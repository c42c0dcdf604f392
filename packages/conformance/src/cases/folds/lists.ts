/**
 * The sources within a radius, as one ascending list for each target. Offsets and indices must be exact, in data where rounding
 * decides nothing.
 *
 * @module
 */
import { type DomainOptions, neighborsWithin, type ParticleSet, periodic } from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud, lattice } from '../../points.ts'

const count = 300
const radius = 0.4375

export function listCases(): readonly Case[] {
  return [...domains(), ...few(), ...known(), ...parts(), moved()]
}

const position = cloud({ count, seed: 1101, avoid: [radius] })

function domains(): readonly Case[] {
  const lengths = [2, 2.5, 3]
  const others = cloud({ count: 131, seed: 1102, avoid: [radius], against: position })
  const inBox = cloud({ count, seed: 1103, side: 4, box: lengths, avoid: [radius] })
  const flat = cloud({ count, dimension: 2, seed: 1104, avoid: [radius] })
  const boxed = cloud({ count, dimension: 2, seed: 1105, side: 3, box: [2, 1.5], avoid: [radius] })
  const exclusions = Array.from({ length: count }, (_, i) => [
    [i, (i + 1) % count] as const,
    [i, (7 * i) % count] as const,
  ]).flat()
  const sets: Readonly<Record<string, readonly [Case['particles'], Omit<DomainOptions, 'cutoff'>]>> = {
    'a cloud': [{ position }, {}],
    'a cloud with the points themselves': [{ position }, { self: 'include' }],
    'a cloud with excluded pairs': [{ position }, { exclusions }],
    'another set': [{ targets: { position: others }, sources: { position } }, {}],
    'another set with excluded pairs': [
      { targets: { position: others }, sources: { position } },
      { exclusions: exclusions.map(([i, j]) => [i % 131, j] as const) },
    ],
    'a periodic box': [{ position: inBox }, { boundary: periodic(lengths) }],
    'a plane': [{ dimension: 2, position: flat }, {}],
    'a periodic plane': [{ dimension: 2, position: boxed }, { boundary: periodic([2, 1.5]) }],
  }
  return Object.entries(sets).map(([name, [particles, domain]]) => ({
    name: `lists: within a radius in ${name}`,
    workload: neighborsWithin(radius, domain),
    particles,
  }))
}

function few(): readonly Case[] {
  const none: ParticleSet = { position: new Float64Array(0) }
  const workload = neighborsWithin(radius)
  return [
    { name: 'lists: of no points', workload, particles: none },
    { name: 'lists: of one point', workload, particles: { position: Float64Array.of(1, 2, 3) } },
    { name: 'lists: without targets', workload, particles: { targets: none, sources: { position } } },
    { name: 'lists: without sources', workload, particles: { targets: { position }, sources: none } },
    { name: 'lists: of all points', workload: neighborsWithin(Number.POSITIVE_INFINITY), particles: { position } },
  ]
}

/** Lists that are known without a reference. */
function known(): readonly Case[] {
  const line = Float64Array.from({ length: 3 * count }, (_, n) => (n % 3 === 1 ? Math.floor(n / 3) / 4 : 1))
  const indices = Array.from({ length: count }, (_, n) => n)
  return [
    {
      name: 'lists: all points in one place',
      workload: neighborsWithin(radius),
      particles: { position: new Float64Array(3 * count).fill(0.75) },
      exact: lists(indices.map((i) => indices.filter((j) => j !== i))),
    },
    {
      name: 'lists: within less than any distance',
      workload: neighborsWithin(0.125),
      particles: { position: line },
      exact: lists(indices.map(() => [])),
    },
    {
      name: 'lists: within a distance that repeats, on a line',
      workload: neighborsWithin(0.5),
      particles: { position: line },
      exact: lists(indices.map((i) => [i - 2, i - 1, i + 1, i + 2].filter((j) => j >= 0 && j < count))),
    },
    {
      // Lists of 80 sources are long for a sort.
      name: 'lists: on a periodic lattice',
      workload: neighborsWithin(2.5, { boundary: periodic([8, 8, 8]) }),
      particles: { position: lattice([8, 8, 8]) },
      exact: { offsets: Float64Array.from({ length: 513 }, (_, n) => 80 * n) },
    },
  ]
}

function lists(rows: readonly (readonly number[])[]) {
  let end = 0
  return { offsets: [0, ...rows.map(({ length }) => (end += length))], index: rows.flat() }
}

function parts(): readonly Case[] {
  const workload = neighborsWithin(radius)
  const ranges = [
    [0, 1],
    [1, 65],
    [65, 65],
    [65, count],
  ] as const
  return [
    { name: 'lists: over ranges of targets', workload, particles: { position }, parts: { targets: ranges } },
    { name: 'lists: over ranges of sources', workload, particles: { position }, parts: { sources: ranges } },
    {
      name: 'lists: over ranges of sources in another order',
      workload,
      particles: { position },
      parts: { targets: ranges, sources: [...ranges].reverse() },
    },
  ]
}

/** One program. Its lists become longer, then shorter. */
function moved(): Case {
  const run = (seed: number, side: number) => ({
    workload: neighborsWithin(radius),
    particles: { position: cloud({ count, seed, side, avoid: [radius] }) },
  })
  return {
    name: 'lists: of points that moved',
    ...run(1106, 2),
    again: [run(1107, 1), run(1108, 4), run(1106, 2)],
  }
}
