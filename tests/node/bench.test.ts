// The benchmark's arithmetic, and that a run of it leaves a complete record. How fast anything is, no test decides.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { measure, timesOf } from '../../bench/src/measure.ts'
import type { Record } from '../../bench/src/record.ts'
import { root } from '../../scripts/pnpm.mjs'

const folder = mkdtempSync(join(tmpdir(), 'manybody-bench-'))
afterAll(() => rmSync(folder, { recursive: true }))

const bench = (...args: string[]) =>
  spawnSync(join(root, 'node_modules/.bin/tsx'), ['bench/src/main.ts', ...args], { cwd: root, encoding: 'utf8' })

const read = (file: string): Record => JSON.parse(readFileSync(file, 'utf8')) as Record

test('median and quartiles of odd and even counts of samples', () => {
  expect(timesOf([5, 1, 3])).toMatchObject({ median: 3, lowerQuartile: 2, upperQuartile: 4 })
  expect(timesOf([4, 1, 2, 3])).toMatchObject({ median: 2.5, lowerQuartile: 1.75, upperQuartile: 3.25 })
  expect(timesOf([7])).toMatchObject({ median: 7, lowerQuartile: 7, upperQuartile: 7 })
})

test('tasks run in turn, after warming up', async () => {
  const order: string[] = []
  const task = (name: string) => ({ run: async () => order.push(name) })
  const measured = await measure([task('a'), task('b')], 3)
  expect(order.slice(-6)).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  expect(order.length).toBeGreaterThanOrEqual(12)
  expect(measured.map(({ times }) => times.samples.length)).toEqual([3, 3])
})

test('a run leaves a record with the machine, the command and every sample', () => {
  const file = join(folder, 'record.json')
  const { status, stdout } = bench('--rounds', '1', '--json', file)
  expect(status).toBe(0)
  expect(stdout).toContain('gravity accelerations')
  expectComplete(read(file))
}, 60_000)

test('committed records are complete', () => {
  const records = readdirSync(join(root, 'bench/records'))
  expect(records.length).toBeGreaterThan(0)
  for (const name of records) expectComplete(read(join(root, 'bench/records', name)))
})

test('wrong arguments get one line and exit code 2', () => {
  const { status, stderr } = bench('--rounds', '0')
  expect(status).toBe(2)
  expect(stderr).toBe('bench: --rounds expected a whole number from 1 to 9999, got "0"; see --help\n')
})

function expectComplete({ date, command, machine, rounds, results }: Record): void {
  expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(command).toMatch(/^npm run bench -- /)
  expect(machine).toMatchObject({
    cpu: expect.any(String),
    cores: expect.any(Number),
    node: expect.stringMatching(/^v/),
  })
  expect(results.length).toBeGreaterThan(0)
  for (const { times, interactions, interactionsPerSecond, count } of results) {
    expect(times.samples).toHaveLength(rounds)
    expect(interactions).toBe(count ** 2)
    expect(interactionsPerSecond).toBe(Math.round(interactions / (times.median / 1000)))
  }
}
