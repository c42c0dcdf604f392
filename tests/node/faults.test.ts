// The harness of faults detects violations, and every fault has a unique name.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faults } from '../faults/list.ts'
import { cellsIn, lineOf, triesFor } from '../faults/table.ts'
import { induced, refused } from '../faults/work.ts'

test.each([
  ['rejected', new RangeError('"dt" expected finite number > 0, got -1')],
  ['rejected', new Error('Cannot run: the engine was disposed; create a new one')],
  ['rejected', new RangeError('"steps" does not match the checksum of the snapshot: it was changed or damaged')],
  ['bad', new TypeError("Cannot read properties of undefined (reading 'cells')")],
  ['bad', new TypeError('Cannot convert undefined or null to object')],
  ['bad', new TypeError('object null is not iterable (cannot read property Symbol(Symbol.iterator))')],
  ['bad', new Error('HANG')],
])('%s: %s', (kind, error) => {
  expect(refused(error).kind).toBe(kind)
})

test('an abort rejects with its own reason', () => {
  const signal = AbortSignal.abort(new Error('enough'))
  expect(refused(signal.reason, signal).kind).toBe('rejected')
  expect(refused(new Error('another'), signal).kind).toBe('bad')
})

test('an outcome is bad if its fault did not happen', () => {
  expect(induced(true, { kind: 'recovered', note: 'cpu-wasm' })).toEqual({ kind: 'recovered', note: 'cpu-wasm' })
  expect(induced(false, { kind: 'correct', note: 'webgl' })).toMatchObject({ kind: 'bad' })
})

test('the page of reliability shows that faults happened that a run survives only by another backend', () => {
  const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| (a shader that never compiles|answers of a context)/.test(line))
  expect(rows).toHaveLength(3)
  for (const row of rows) expect(row).toMatch(/\| 100 +\| 0 +\| 0 +\| 100 +\|$/)
})

test('faults have unique names and make the lines of a table', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
  const outcomes = [
    { kind: 'correct', note: '' },
    { kind: 'recovered', note: '' },
    { kind: 'recovered', note: '' },
  ] as const
  expect(lineOf({ fault: { name: 'loss', how: 'so' }, outcomes, time: 123.4 })).toBe(
    '| loss | so | 123 | 3 | 1 | 0 | 2 |',
  )
})

test('a fault is tried 1000 times if one try takes less than 0.1 s, as the first 100 show, and 100 times if it takes longer', () => {
  const tries = (length: number, time: number) => triesFor(Array.from({ length }, () => time))
  expect(tries(0, 1)).toBe(100)
  expect(tries(99, 99)).toBe(100)
  expect(tries(100, 99)).toBe(1000)
  expect(tries(100, 101)).toBe(100)
  // A delayed try, and tries after the first 100, decide nothing.
  expect(triesFor([100_000, ...Array.from({ length: 99 }, () => 99), 100_000])).toBe(1000)
})

test('the page of reliability shows as many tries of a fault as it asks for, or the time of one', () => {
  const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8')
  const rows = [...cellsIn(page).values()].map(([name, , time = '', tries]) => ({ name, time, tries }))
  const timed = rows.filter(({ time }) => Number(time) > 0)
  expect(timed.length).toBeGreaterThan(5)
  const asked = new Map(faults.map(({ name, tries }) => [name, tries]))
  for (const { name = '', time, tries } of timed)
    expect(Number(tries), name).toBe(asked.get(name) ?? (Number(time) < 100 ? 1000 : 100))
})

test('the page of reliability lists every fault, with the way it is induced', () => {
  const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8')
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const told = new Map(rows.map(([, name, how]) => [name, how]))
  for (const { name, how } of faults) expect(told.get(name), name).toBe(how)
})
