// The suite is complete and well formed: it has every law and workload, names are unique, and the runs of a case share one
// structure and shape.

import * as core from '@manybody/core'
import { reductions } from '@manybody/core/expression'
import { bind } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { builtInLaws } from '../src/cases/laws/laws.ts'
import { suite } from '../src/suite.ts'

const cases = suite()
const pairs = cases.flatMap(({ workload }) => (workload.loop === 'pair' ? [workload] : []))

test('names of cases are unique and start with their family', () => {
  const names = cases.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z ]+: \S/.test(name))).toEqual([])
})

test('the suite has every law that core exports', () => {
  const exported = Object.values(core).flatMap((value) => {
    if (Array.isArray(value)) return value.map(lawName)
    return typeof value === 'function' && 'sampling' in value ? [lawName(value)] : []
  })
  const known = builtInLaws.map(lawName)
  expect(exported.filter((name) => !known.includes(name))).toEqual([])
  expect(exported.length).toBeGreaterThanOrEqual(9)
  const used = new Set(pairs.map(({ law }) => law.name))
  expect(known.filter((name) => !used.has(name ?? ''))).toEqual([])
})

function lawName(law: unknown): string | undefined {
  return (law as { law?: string }).law
}

test('the suite has every loop, reduction and quantity', () => {
  expect(new Set(pairs.map(({ reduction }) => reduction))).toEqual(new Set(Object.keys(reductions)))
  expect(new Set(pairs.map(({ quantity }) => quantity))).toEqual(
    new Set(['term', 'potential', 'force', 'acceleration', 'virial']),
  )
  expect(new Set(cases.map(({ workload }) => workload.loop))).toEqual(new Set(['pair', 'particle', 'grid']))
})

test('the suite has every kind of domain', () => {
  const domains = pairs.map(({ domain }) => domain)
  expect(new Set(domains.map(({ self }) => self))).toEqual(new Set(['include', 'exclude']))
  expect(new Set(domains.map(({ boundary }) => boundary.kind))).toEqual(new Set(['open', 'periodic']))
  expect(domains.some(({ cutoff }) => cutoff?.shift)).toBe(true)
  expect(domains.some(({ cutoff }) => cutoff?.switchDistance !== undefined)).toBe(true)
  expect(domains.some(({ exclusions }) => exclusions.length > 0)).toBe(true)
})

test('further runs of a case have the shape of the first', () => {
  for (const one of cases) {
    const { shape } = bind(one.workload, one.particles, one.parameters, undefined, one.tables)
    for (const run of one.again ?? [])
      expect(bind(run.workload, run.particles, run.parameters, undefined, run.tables).shape, one.name).toEqual(shape)
  }
})

test('ranges of parts cover every target and source once', () => {
  for (const { name, workload, particles, parts } of cases) {
    if (!parts) continue
    const { shape } = bind(workload, particles)
    for (const side of ['targets', 'sources'] as const) {
      // Sources may come in another order where the order of ranges does not matter.
      const ranges = [...(parts[side] ?? [[0, shape[side]]])].sort(([a, b], [c, d]) => a - c || b - d)
      const ends = ranges.map(([, last]) => last)
      expect(
        ranges.map(([first]) => first),
        name,
      ).toEqual([0, ...ends.slice(0, -1)])
      expect(ends.at(-1), name).toBe(shape[side])
    }
  }
})

test('the suite has counts on both sides of every tile edge', () => {
  const counts = new Set(cases.map(({ workload, particles }) => bind(workload, particles).shape.targets))
  for (const edge of [64, 128, 256, 512, 1024])
    expect(
      [edge - 1, edge, edge + 1].every((count) => counts.has(count)),
      `${edge}`,
    ).toBe(true)
  expect([0, 1, 2].every((count) => counts.has(count))).toBe(true)
})
