// An unavailable backend is reported with its reason, and fails if it is required. It never passes silently.

import type { Backend } from '@manybody/core'
import { reference } from '@manybody/core'
import { expect, test, vi } from 'vitest'
import { describeConformance } from '../src/describe-conformance.ts'
import { runConformance } from '../src/run-conformance.ts'

const absent: Backend = {
  name: 'absent',
  probe: async () => ({ available: false, reason: 'no driver; install one' }),
  open: () => Promise.reject(new Error('not there')),
}
const throwing: Backend = { ...absent, probe: () => Promise.reject(new Error('segmentation fault')) }
const unopenable: Backend = { ...reference(), open: () => Promise.reject(new Error('busy')) }
const always32: Backend = { ...reference(), open: () => reference().open({ precision: 'f32' }) }

test('an unavailable backend is reported with its reason', async () => {
  expect(await runConformance(absent)).toMatchObject({
    outcome: 'unavailable',
    reasons: ['unavailable: no driver; install one'],
    results: [],
  })
})

test('a required backend that is unavailable fails', async () => {
  expect(await runConformance(absent, { required: true })).toMatchObject({ outcome: 'failed' })
})

test('a probe that throws is reported as a fault', async () => {
  const { reasons } = await runConformance(throwing, { required: true })
  expect(reasons).toEqual(['unavailable: probe threw, which it must not: Error: segmentation fault'])
})

test('a backend whose probe succeeds but that does not open fails', async () => {
  const { outcome, reasons } = await runConformance(unopenable)
  expect(outcome).toBe('failed')
  expect(reasons).toEqual(
    ['f32', 'f64'].map((p) => `open with precision ${p} failed, though probe says available: Error: busy`),
  )
})

test('a device with another precision than requested fails', async () => {
  const { outcome, reasons } = await runConformance(always32, { only: /^gates: sum of 1, 5 points/ })
  expect(outcome).toBe('failed')
  expect(reasons).toEqual(['open expected a device of precision f64, as asked, got f32'])
})

interface Registered {
  readonly tests: readonly (readonly [string, () => void | Promise<void>])[]
  readonly skipped: readonly string[]
}

async function register(backend: Backend, required?: boolean): Promise<Registered> {
  const tests: [string, () => void | Promise<void>][] = []
  const skipped: string[] = []
  const run = vi.fn((name: string, body: () => void | Promise<void>) => tests.push([name, body]))
  const test = Object.assign(run, { skip: (name: string) => skipped.push(name) })
  await describeConformance({ describe: (_, body) => body(), test }, backend, required ? { required } : {})
  return { tests, skipped }
}

test('a test runner gets one test for each case and precision', async () => {
  const { tests, skipped } = await register(reference())
  const names = tests.map(([name]) => name)
  expect(skipped).toEqual([])
  expect(names).toContain('gates: sum of 1, 65 points, f32')
  expect(names).toContain('gates: sum of 1, 65 points, f64')
  expect(new Set(names).size).toBe(names.length)
})

test('a test runner sees an unavailable backend as skipped, with the reason in the name', async () => {
  expect(await register(absent)).toEqual({ tests: [], skipped: ['unavailable: no driver; install one'] })
})

test('a test runner sees a required backend that is unavailable fail', async () => {
  const { tests, skipped } = await register(absent, true)
  expect(skipped).toEqual([])
  expect(tests).toHaveLength(1)
  expect(tests[0]?.[1]).toThrow('the backend is required here: no driver; install one')
})

test('a test of a wrong result fails and names the fault', async () => {
  const { tests } = await register({ ...absent, probe: reference().probe })
  const [, body] = tests.find(([name]) => name === 'gates: sum of 1, 65 points, f32') ?? []
  await expect(body?.()).rejects.toThrow(
    'open with precision f32 failed, though probe says available: Error: not there',
  )
})
