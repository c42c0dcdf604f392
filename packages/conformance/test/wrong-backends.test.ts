// The suite rejects backends that are wrong in one way each, and accepts the same wrapper without a fault.

import { expect, test } from 'vitest'
import { runConformance } from '../src/run-conformance.ts'
import { faults } from './support/faults.ts'
import { wrongBackend } from './support/wrong-backend.ts'

test('the reference in the wrapper of the wrong backends passes the cases that reject them', async () => {
  const seen = new RegExp(
    Object.values(faults)
      .map(({ seen }) => `(${seen.source})`)
      .join('|'),
  )
  const report = await runConformance(wrongBackend({}), { only: seen })
  expect(report.results.length).toBeGreaterThan(300)
  expect(report.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(report).toMatchObject({ outcome: 'passed', reasons: [] })
})

test.each(Object.entries(faults))('a backend is rejected if %s', async (_, fault) => {
  const report = await runConformance(wrongBackend(fault), { only: fault.seen })
  expect(report.outcome).toBe('failed')
  const failed = report.results.filter(({ outcome }) => outcome === 'failed')
  expect(failed.map(({ name }) => name)).not.toEqual([])
})
