/**
 * Registers the suite with a test runner: one test for each case and precision.
 *
 * Works with vitest, node:test, mocha, or any other runner with the same `describe` and `test`.
 *
 * @module
 */
import type { Backend } from '@manybody/core'
import { type ConformanceOptions, idleFaults, opened } from './run-conformance.ts'
import { attempt, precisionsOf, probed, trials } from './session.ts'

/** The functions of a test runner. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly test: {
    (name: string, body: () => void | Promise<void>): unknown
    readonly skip: (name: string, body: () => void) => unknown
  }
  /** `afterAll` or `after`. If given, devices are disposed even if tests were skipped. */
  readonly afterAll?: (body: () => void | Promise<void>) => unknown
}

/**
 * Registers the tests. Await it at the top of a test file, because it probes the backend first.
 *
 * An available backend gets one test for each case and precision. An unavailable one gets a single test that is skipped with
 * the reason or, if the backend is `required`, fails with it.
 *
 * @example
 * await describeConformance({ describe, test, afterAll }, reference(), { required: true })
 */
export async function describeConformance(
  { describe, test, afterAll }: TestRunner,
  backend: Backend,
  options: ConformanceOptions = {},
): Promise<void> {
  const { gaps = [], required = false } = options
  const probe = await probed(backend, options.open ?? {})
  describe(`conformance of ${backend.name}`, () => {
    if (!probe.available) {
      const name = `unavailable: ${probe.reason}`
      if (required) test(name, () => fail([`the backend is required here: ${probe.reason}`]))
      else test.skip(name, () => {})
      return
    }
    const all = trials()
    test('every gap names a case', () => fail(idleFaults(gaps, all)))
    for (const precision of precisionsOf(probe)) {
      const device = once(() => opened(backend, precision, options))
      for (const trial of all)
        test(`${trial.name}, ${precision}`, async () => {
          const ready = await device()
          if (typeof ready === 'string') return fail([ready])
          const { outcome, faults } = await attempt(trial, backend, ready, gaps)
          if (outcome === 'failed') fail(faults)
        })
      afterAll?.(async () => {
        const ready = await device()
        if (typeof ready !== 'string') ready.dispose()
      })
    }
  })
}

/** @throws Error listing the faults, if any */
function fail(faults: readonly string[]): void {
  if (faults.length) throw new Error(faults.join('\n'))
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
