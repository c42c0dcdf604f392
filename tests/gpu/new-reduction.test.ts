// Reductions that stand only in core's table: every backend folds them, though none has code for them.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { type ArrayResults, type Backend, createEngine, type PairWorkload, pairTerm, reduce } from '@manybody/core'
import { reductions } from '@manybody/core/expression'
import { bind, deviceNumbers } from '@manybody/core/judge'
import { afterAll, describe, expect, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'

const table = reductions as object as Record<string, (typeof reductions)['min']>
const invented = {
  /** Two numbers, two results. */
  span: {
    results: { least: Number.POSITIVE_INFINITY, greatest: Number.NEGATIVE_INFINITY },
    width: 1,
    state: { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY },
    ofTerm: { low: 'term', high: 'term' },
    join: { low: 'select(other_low < low, other_low, low)', high: 'select(high < other_high, other_high, high)' },
    toResults: { least: 'low', greatest: 'high' },
    fromResults: { low: 'least', high: 'greatest' },
  },
  /** The result differs from the state, and rounding adds up. */
  norm: {
    results: { value: 0 },
    width: 1,
    ordered: true,
    state: { squares: 0 },
    ofTerm: { squares: 'term^2' },
    join: { squares: 'squares + other_squares' },
    toResults: { value: 'sqrt(squares)' },
    fromResults: { squares: 'value^2' },
  },
  /** Two numbers, and rounding adds up. Here no backend has its own fold for it. */
  sumOfExponentials: reductions.logsumexp,
} as const
Object.assign(table, invented)
afterAll(() => {
  for (const name of Object.keys(invented)) delete table[name]
})

const [count, cutoff] = [300, 1.5]
const noise = (n: number) => (Math.sin(12.9898 * (n + 1)) * 43758.5453) % 1
const at = Float32Array.from({ length: 3 * count }, (_, n) => 4 * noise(n))
// A point that meets no other point.
at.set([100, 100, 100], 0)
const points = { position: at, level: Float32Array.from({ length: count }, (_, n) => 3 * noise(n + 7)) }

/** The terms that each target adds up. */
const terms = Array.from({ length: count }, (_, i) =>
  Array.from({ length: count }, (_, j) => j).flatMap((j) => {
    const distance = Math.hypot(...[0, 1, 2].map((c) => (at[3 * j + c] as number) - (at[3 * i + c] as number)))
    return j !== i && distance < cutoff ? [points.level[j] as number] : []
  }),
)
const expected: Readonly<Record<keyof typeof invented, Readonly<Record<string, readonly number[]>>>> = {
  span: { least: terms.map((row) => Math.min(...row)), greatest: terms.map((row) => Math.max(...row)) },
  norm: { value: terms.map((row) => Math.hypot(...row)) },
  sumOfExponentials: { value: terms.map((row) => Math.log(row.reduce((sum, term) => sum + Math.exp(term), 0))) },
}

const nearTo = (results: ArrayResults, wanted: Readonly<Record<string, readonly number[]>>, tolerance: number) => {
  expect(Object.keys(results).sort()).toEqual(Object.keys(wanted).sort())
  for (const [name, numbers] of Object.entries(wanted))
    for (const [t, want] of numbers.entries()) {
      const got = results[name]?.[t] as number
      expect(got === want || Math.abs(got - want) <= tolerance, `${name} ${t}: ${want}, got ${got}`).toBe(true)
    }
}

describe.each<[string, 'f32' | 'f64', () => Promise<Backend>]>([
  ['webgpu', 'f32', async () => webgpu()],
  ['webgl', 'f32', async () => webgl({ context: await angleContexts(2) })],
  ['cpu-wasm', 'f32', async () => cpuWasm()],
  ['cpu-wasm', 'f64', async () => cpuWasm()],
])('%s in %s', (_, precision, backend) => {
  test.each(Object.keys(invented) as (keyof typeof invented)[])('folds %s, at once and in parts', async (name) => {
    await using engine = await createEngine({ backends: [await backend()], precision })
    const results = Object.keys(invented[name].results)
    const minimum = reduce('min', pairTerm('level_j')(), { cutoff })
    const { shape, bindings } = deviceNumbers(bind(minimum, points), precision)
    const workload = { ...minimum, reduction: name, results } as unknown as PairWorkload
    const program = await engine.device.prepare(workload, shape)
    const tolerance = name === 'span' ? 0 : 1e-5
    nearTo(await program.run(bindings), expected[name], tolerance)
    const initial = await program.run(bindings, { sources: [0, 131] })
    nearTo(await program.run(bindings, { sources: [131, count], initial }), expected[name], tolerance)
    program.dispose()
  })
})
