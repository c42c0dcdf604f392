// Which method `fast` runs next, by estimates and by the times that runs took.

import { expect, test } from 'vitest'
import type { Costs } from '../../src/methods/fast/choose.ts'
import { Race, type Racer } from '../../src/methods/fast/race.ts'

/** The methods of so many runs, when a run takes these times. */
function runs(count: number, costs: Costs, times: Readonly<Record<Racer, number>>): readonly Racer[] {
  const race = new Race()
  return Array.from({ length: count }, () => {
    const side = race.next(() => costs)
    race.took(side, times[side])
    return side
  })
}
const close: Costs = { allPairs: 100, tree: 10, mesh: 12 }

test('both take turns, the faster one stays, and the other one is tried again now and then', () => {
  const sides = runs(200, close, { tree: 5, mesh: 4 })
  expect(sides.slice(0, 6)).toEqual(['tree', 'tree', 'tree', 'mesh', 'mesh', 'mesh'])
  expect(sides.slice(6).filter((side) => side === 'tree').length).toBe(3)
})

test('a method that takes many times as long is hardly tried again', () => {
  const sides = runs(500, close, { tree: 15, mesh: 1700 })
  expect(sides.filter((side) => side === 'mesh').length).toBe(2)
  const others = runs(500, { ...close, mesh: 8 }, { tree: 15, mesh: 1700 })
  expect(others.slice(0, 5)).toEqual(['mesh', 'mesh', 'mesh', 'tree', 'tree'])
  expect(others.slice(6)).toEqual(new Array(494).fill('tree'))
})

test('a method with a poor estimate is not tried', () => {
  expect(new Set(runs(100, { ...close, mesh: 50 }, { tree: 5, mesh: 4 }))).toEqual(new Set(['tree']))
})

test('a refused mesh does not run', () => {
  const race = new Race()
  race.refused = true
  expect(race.next(() => ({ ...close, mesh: 1 }))).toBe('tree')
})

test('a poor measurement does not last', () => {
  const race = new Race()
  const sides = Array.from({ length: 2500 }, (_, n) => {
    const side = race.next(() => close)
    race.took(side, side === 'tree' ? 15 : n < 10 ? 70 : 4)
    return side
  })
  expect(sides.slice(10, 900)).not.toContain('mesh')
  expect(sides.slice(2400)).toContain('mesh')
  expect(sides.slice(2400).filter((side) => side === 'tree').length).toBeLessThan(4)
})
