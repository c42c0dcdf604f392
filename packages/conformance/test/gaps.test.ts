// Gaps are declared, never silent. A refused case without a gap fails, and so does a gap that passes or matches no case.

import { type Backend, reference } from '@manybody/core'
import { expect, test } from 'vitest'
import { type RunConformanceOptions, runConformance } from '../src/run-conformance.ts'
import { wrongBackend } from './support/wrong-backend.ts'

const only = /^(stencil: two outputs|map: two outputs)/
const reason = 'no grids yet'

/** The reference without grids, which declares that gap. */
const gridless = wrongBackend({
  device: (device) => ({
    supports: (workload) => (workload.loop === 'grid' ? { ok: false, reason } : { ok: true }),
    prepare: async (workload, shape) => {
      if (workload.loop === 'grid') throw new Error(reason)
      return device.prepare(workload, shape)
    },
  }),
})

async function outcomes(backend: Backend, options: RunConformanceOptions): Promise<unknown> {
  const { outcome, reasons, results } = await runConformance(backend, { only, ...options })
  return [outcome, reasons.length, results.map((result) => `${result.outcome} ${result.name} ${result.precision}`)]
}

test('a refusal without a gap fails', async () => {
  expect(await outcomes(gridless, {})).toEqual([
    'failed',
    0,
    [
      'passed map: two outputs, vector and plain f32',
      'failed stencil: two outputs f32',
      'passed map: two outputs, vector and plain f64',
      'failed stencil: two outputs f64',
    ],
  ])
})

test.each([[/^stencil:/], ['stencil: two outputs']])('a refusal with the gap %s is reported as a gap', async (gap) => {
  expect(await outcomes(gridless, { gaps: [{ case: gap, reason }] })).toEqual([
    'passed',
    0,
    [
      'passed map: two outputs, vector and plain f32',
      'gap stencil: two outputs f32',
      'passed map: two outputs, vector and plain f64',
      'gap stencil: two outputs f64',
    ],
  ])
})

test('a gap reports its reason and the finding', async () => {
  const { results } = await runConformance(gridless, { only, gaps: [{ case: /^stencil/, reason: 'grids come later' }] })
  expect(results.find(({ outcome }) => outcome === 'gap')?.faults).toEqual(['grids come later', `refused: ${reason}`])
})

test('a gap of one precision does not cover the other', async () => {
  const gaps = [{ case: /^stencil:/, reason, precision: 'f64' }] as const
  expect(await outcomes(gridless, { gaps })).toMatchObject([
    'failed',
    0,
    expect.arrayContaining(['failed stencil: two outputs f32', 'gap stencil: two outputs f64']),
  ])
})

test('a gap whose case passes fails, and says to remove the gap', async () => {
  const { outcome, results } = await runConformance(reference(), { only, gaps: [{ case: /^stencil/, reason }] })
  expect(outcome).toBe('failed')
  expect(results.filter((result) => result.outcome === 'failed').flatMap(({ faults }) => faults)).toEqual([
    'passes, but is declared as a gap ("no grids yet"): remove the gap',
    'passes, but is declared as a gap ("no grids yet"): remove the gap',
  ])
})

test('a gap that names no case fails', async () => {
  const { outcome, reasons } = await runConformance(reference(), { only, gaps: [{ case: 'no such case', reason }] })
  expect(outcome).toBe('failed')
  expect(reasons).toEqual(['the gap no such case ("no grids yet") names no case: remove it'])
})
