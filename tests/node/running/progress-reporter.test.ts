// Progress lines while vitest runs: frequent, with totals, and with the name of a test that stalls.

import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { root } from '../../../tools/pnpm.mjs'
import ProgressReporter, { Progress } from '../../support/progress-reporter.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const second = 1000

test('a line is printed at least every 20 seconds, also during setup', () => {
  vi.useFakeTimers()
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const reporter = new ProgressReporter()
  reporter.onInit()
  for (let n = 1; n <= 30; n++) {
    vi.advanceTimersByTime(20 * second)
    expect(log.mock.calls.length).toBeGreaterThanOrEqual(n)
  }
  expect(log.mock.calls[0]).toEqual([expect.stringMatching(/^\[\d+:\d\d\] setting up$/)])
  reporter.onTestRunEnd()
  const said = log.mock.calls.length
  vi.advanceTimersByTime(60 * second)
  expect(log).toHaveBeenCalledTimes(said)
})

test('vitest passes its counts to the reporter', () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const project = { name: 'node' }
  const moduleId = join(root, 'tests/node/a.test.ts')
  const module = { project, moduleId, diagnostic: () => ({ duration: 61_400 }) }
  const reporter = new ProgressReporter()
  const given = <T>(value: unknown) => value as T
  reporter.onTestRunStart(given([{ project, moduleId }]))
  reporter.onTestModuleQueued(given(module))
  const one = { project, module, fullName: 'adds', result: () => ({ state: 'failed' }) }
  reporter.onTestCaseReady(given(one))
  reporter.onTestCaseResult(given(one))
  reporter.onTestModuleEnd(given(module))
  reporter.onTestRunEnd()
  expect(log.mock.calls.slice(-2)).toEqual([
    ['longest: node tests/node/a.test.ts 61 s'],
    ['[0:00] 1 of 1 files, 0 tests passed, 1 failed'],
  ])
})

test('the reporter counts files and tests', () => {
  const progress = new Progress(0)
  progress.planned(['node a', 'node b', 'node c', 'node d'])
  expect(progress.line(400 * second)).toBe('[6:40] 0 of 4 files, 0 tests passed, 0 failed')
  progress.started('node a', 400 * second)
  progress.tested('node a', 'one', 'passed', 405 * second)
  progress.tested('node a', 'two', 'skipped', 406 * second)
  progress.ended('node a', 20 * second)
  expect(progress.line(420 * second)).toBe('[7:00] 1 of 4 files, 1 tests passed, 0 failed, 1 skipped')
})

test('a file without a result for half a minute is named with its test', () => {
  const progress = new Progress(0)
  progress.planned(['node a', 'node b'])
  progress.started('node a', 0)
  progress.started('node b', 0)
  expect(progress.line(29 * second)).toMatch(/; running node a, node b$/)
  progress.testing('node a', 'laws > one', 5 * second)
  progress.tested('node b', 'two', 'passed', 50 * second)
  expect(progress.line(60 * second)).toMatch(/; running node a \(0:55 without a result, in "laws > one"\), node b$/)
  expect(progress.line(90 * second)).toMatch(/node b \(0:40 without a result, after "two"\)$/)
})

test('a result after the end of its file counts, but does not mark the file as running again', () => {
  const progress = new Progress(0)
  progress.planned(['node a', 'node b'])
  progress.started('node a', 0)
  progress.ended('node a', 20 * second)
  progress.testing('node a', 'late', 6 * second)
  progress.tested('node a', 'late', 'passed', 6 * second)
  expect(progress.line(60 * second)).toBe('[1:00] 1 of 2 files, 1 tests passed, 0 failed')
})
