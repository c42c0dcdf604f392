// Which settings are tried for a tolerance, by how many targets they are judged, and which are kept.

import { expect, it } from 'vitest'
import { type Attempt, findSetting, type KnownSettings, type Tried } from '../../src/methods/tolerance/find-setting.ts'
import { ladder } from '../../src/methods/tolerance/ladder.ts'

/** Meets a tolerance where `errorOf` tells the error of each attempt. Returns the attempts and the setting that was kept. */
function met(known: KnownSettings, of: 'terms' | 'result', errorOf: (attempt: Attempt) => number, tolerance = 1e-2) {
  const tried: Attempt[] = []
  const meeting = findSetting<Tried>(known, 'sum', tolerance, { of })
  let step = meeting.next()
  while (!step.done) {
    const { setting } = step.value
    tried.push(step.value)
    step = meeting.next({ setting, error: errorOf(step.value), pairs: pairsOf(setting), dear: false })
  }
  return { tried, setting: step.value.outcome?.setting, notes: step.value.notes }
}

/** A simplex that is far away takes many pairs, and a grid more where it is as exact. */
const pairsOf = ({ proxies, opening }: Attempt['setting']) =>
  proxies === 'simplex' ? 10 / opening ** 2 : 300 * Number(proxies) + 100 / opening ** 2

/** Errors that are a factor times the errors of gravity in a cube. */
const typical =
  (factor: number) =>
  ({ setting }: Attempt) =>
    factor *
    (ladder.find(({ proxies, opening }) => proxies === setting.proxies && opening === setting.opening)?.typical ?? 0)

it.each([
  ['terms', 0.9],
  ['result', 0.7],
] as const)('takes the cheapest setting with a share of the tolerance of %s', (of, share) => {
  for (const factor of [0.1, 1, 30]) {
    const { setting, tried } = met(new Map(), of, typical(factor))
    const cheapest = ladder.find((rung) => factor * rung.typical <= share * 1e-2)
    expect(setting).toEqual(cheapest)
    expect(tried.every(({ judges }) => judges === 512)).toBe(true)
    expect(tried.length).toBeLessThan(6)
  }
})

it('judges a mean by more targets only if it would not be chosen any more', () => {
  const known: KnownSettings = new Map()
  met(known, 'result', typical(1))
  const judges = (error: number) => met(known, 'result', () => error).tried.map((attempt) => attempt.judges)
  expect(judges(0.69e-2)).toEqual([64])
  expect(judges(0.9e-2)).toEqual([64, 512])
  expect(judges(0.69e-2)).toEqual([64])
})

it('judges a largest error by more targets if it is larger than the accepted one', () => {
  const known: KnownSettings = new Map()
  met(known, 'terms', () => 0.5e-2)
  const judges = (error: number) => met(known, 'terms', () => error).tried.map((attempt) => attempt.judges)
  expect(judges(0.4e-2)).toEqual([64])
  expect(judges(0.6e-2)).toEqual([64, 512])
  expect(judges(0.6e-2)).toEqual([64])
})

it('repeats a run beyond the tolerance at the next setting', () => {
  const known: KnownSettings = new Map()
  const { setting } = met(known, 'result', typical(1))
  const again = met(known, 'result', (attempt) => 2 * typical(1)(attempt))
  expect(again.setting?.opening).toBeLessThan(setting?.opening ?? 0)
  expect(again.notes).toMatch(/^repeated, because simplex, opening 0\.\d+ had an error of 0\.01/)
})

it('takes simplices where grids are poor', () => {
  const ofGrids =
    (factor: number) =>
    ({ setting, ...attempt }: Attempt) =>
      (setting.proxies === 'simplex' ? 1 : factor) * typical(1)({ setting, ...attempt })
  expect(met(new Map(), 'terms', ofGrids(1), 1e-4).setting?.proxies).toBe(3)
  const known: KnownSettings = new Map()
  const { setting, tried } = met(known, 'terms', ofGrids(40), 1e-4)
  expect(setting).toMatchObject({ proxies: 'simplex', opening: 0.11 })
  expect(tried.length).toBeLessThan(9)
  // Points that move a little take the next simplex, not a grid.
  expect(met(known, 'terms', (attempt) => 1.4 * ofGrids(40)(attempt), 1e-4).setting).toMatchObject({ opening: 0.095 })
})
