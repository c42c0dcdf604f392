// Shares of the suite: together they cover it, and each test is in exactly one share, the same in every run.

import { suite } from '@manybody/conformance'
import { expect, test } from 'vitest'
import { bufferChecks } from '../../../packages/conformance/src/checks/buffers.ts'
import { disposalChecks } from '../../../packages/conformance/src/checks/disposal.ts'
import { identityChecks } from '../../../packages/conformance/src/checks/identity.ts'
import { runChecks } from '../../../packages/conformance/src/checks/runs.ts'
import { trials } from '../../../packages/conformance/src/session.ts'
import { arraysAndRuns, deep, inShare, onlyShare, sharing } from '../../support/share.ts'

const names = suite().flatMap(({ name }) => ['f32', 'f64'].map((precision) => `${name}, ${precision}`))
const sharesOf = (name: string, count: number) => Array.from({ length: count }, (_, n) => inShare(name, n, count))

test.skipIf(deep).each([2, 3, 4, 6])('%i shares contain every test once, and are about equally large', (count) => {
  const shares = names.map((name) => sharesOf(name, count))
  expect(shares.filter((mine) => mine.filter(Boolean).length !== 1)).toEqual([])
  for (let n = 0; n < count; n++) {
    const size = shares.filter((mine) => mine[n]).length * count
    expect(size).toBeGreaterThan(0.8 * names.length)
    expect(size).toBeLessThan(1.2 * names.length)
  }
})

test.runIf(deep)('in a deep run, every share has all tests', () => {
  expect(sharesOf('laws: forces of gravity', 4)).toEqual([true, true, true, true])
})

test('a runner of shares registers each case once, and the tests of the backend itself in every share', () => {
  const registered: string[] = []
  const runner = Object.assign((name: string) => registered.push(name), { skip: () => undefined })
  const shares = [0, 1, 2].map((n) => sharing(runner, n, 3))
  const body = () => undefined
  for (const share of shares) for (const name of [...names, 'every gap names a case']) share(name, body)
  expect(registered.filter((name) => name === 'every gap names a case')).toHaveLength(3)
  expect(new Set(registered).size).toBe(names.length + 1)
  expect(registered).toHaveLength((deep ? 3 : 1) * names.length + 3)
})

test('a runner takes several shares, and names that all of them have', () => {
  const runner = Object.assign((name: string) => registered.push(name), { skip: () => undefined })
  const registered: string[] = []
  const some = sharing(runner, [0, 2], 3, /gravity/)
  for (const name of names) some(name, () => undefined)
  expect(registered).toEqual(names.filter((name) => !inShare(name, 1, 3) || deep || name.includes('gravity')))
})

test('checks of arrays, runs and the device itself are known by their names, and no case has such a name', () => {
  const checks = [...bufferChecks, ...runChecks, ...identityChecks, ...disposalChecks]
  expect(checks.filter(({ name }) => !arraysAndRuns.test(name))).toEqual([])
  expect(suite().filter(({ name }) => arraysAndRuns.test(name))).toEqual([])
})

test('the expression of a share has its cases and checks, and names that every share has', () => {
  const shares = [0, 1, 2].map((n) => onlyShare(n, 3, arraysAndRuns))
  const matches = (name: string) => [0, 1, 2].filter((n) => shares[n]?.test(name))
  for (const { name } of trials()) {
    const expected = [0, 1, 2].filter((n) => inShare(name, n, 3) || arraysAndRuns.test(name))
    expect(matches(name), name).toEqual(expected)
  }
  expect(matches('laws: of another suite')).toEqual([])
})
