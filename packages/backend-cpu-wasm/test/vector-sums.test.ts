// Sums of terms that are vectors: the device adds up all components in one loop, with exclusions, parts and several threads.

import { createEngine, pairTerm, reference, sum } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, describe, expect, it } from 'vitest'
import { cpuWasm } from '../src/index.ts'

const truth = await createEngine({ backends: [reference()], precision: 'f64' })
const devices = await Promise.all([
  cpuWasm().open({ precision: 'f64', threads: 1 }),
  cpuWasm().open({ precision: 'f32', threads: 1 }),
  cpuWasm({ threadsFrom: 0 }).open({ precision: 'f32', threads: 2 }),
])
afterAll(() => {
  truth.dispose()
  for (const device of devices) device.dispose()
})

const count = 37
const numbers = (length: number, step: number) =>
  Float32Array.from({ length: count * length }, (_, n) => Math.sin(step * n))
const terms = {
  'a factor and a vector of sources': 'exp(-sqdist(u_i, u_j))*vector(b_j)',
  'differences, times a number of the run': 'q*vector(b_j - b_i)/(1 + sqdist(u_i, u_j))',
  'parts of one side': 'm_j*vector(exp(-b_j^2)*cos(b_i) + b_i)',
  'a vector among the parameters': 'vector(g*abs(b_j - b_i)) + dot(u_i, u_j)',
  'a component that is not linear': 'abs(vector(b_j - g) - m_i)^1.5',
  'conditions on components': 'select(m_i < m_j, vector(select(b_i < b_j, 1, b_i)), 0)',
} as const

describe.each(Object.entries(terms))('%s', (_, text) => {
  it.each([1, 7, 16, 45])('adds up %i components in parts as in one run', async (length) => {
    const g = Array.from({ length }, (_, n) => Math.cos(n))
    const parameters: Record<string, number | readonly number[]> = {
      q: 1.5,
      ...(text.includes('g*') || text.includes('- g') ? { g } : {}),
    }
    const workload = sum(pairTerm(text, { parameters })(), {
      exclusions: [
        [0, 1],
        [30, 4],
      ],
    })
    const points = { u: numbers(3, 0.7), b: numbers(length, 0.3), m: numbers(1, 0.9), count }
    const { value: expected } = await truth.run(workload, points)
    const { shape, bindings } = bind(workload, points as never)
    for (const device of devices) {
      expect(device.supports(workload, shape)).toEqual({ ok: true })
      const program = await device.prepare(workload, shape)
      const whole = await program.run(bindings)
      const first = await program.run(bindings, { targets: [5, 20], sources: [0, 11] })
      const { value: part = [] } = await program.run(bindings, {
        ...{ targets: [5, 20], sources: [11, count] },
        initial: { value: Float64Array.from(first.value ?? []) },
      } as never)
      const digits = device.info.precision === 'f64' ? 10 : 4
      const close = (values: ArrayLike<number>) => Array.from(values, (x) => expect.closeTo(x, digits))
      expect(Array.from(whole.value ?? [])).toEqual(close(expected))
      expect(Array.from(part)).toEqual(close(expected.subarray(5 * length, 20 * length)))
      program.dispose()
    }
  })
})

it('a check reports the run of all components, and rejects one wrong number', async () => {
  const length = 70
  const points = { b: numbers(length, 0.3), count }
  const workload = sum(pairTerm('vector(b_j)*norm(b_i)')())
  await using engine = await createEngine({ backends: [cpuWasm()], precision: 'f32' })
  const { ok, report, sampled } = await engine.verify(workload, points)
  expect({ ok, sampled, interactions: report.interactions }).toEqual({
    ok: true,
    sampled: count,
    interactions: count * count,
  })
  const backend = cpuWasm()
  await using wrong = await createEngine({
    backends: [
      {
        ...backend,
        open: async (options) => {
          const device = await backend.open(options)
          const prepare = device.prepare.bind(device)
          return Object.assign(device, {
            prepare: async (...given: Parameters<typeof prepare>) => {
              const program = await prepare(...given)
              const run = program.run.bind(program)
              return Object.assign(program, {
                run: async (...options: Parameters<typeof run>) => {
                  const results = await run(...options)
                  if (results.value?.length === count * length) results.value[3 * length + 40] = 1
                  return results
                },
              })
            },
          })
        },
      },
    ],
    precision: 'f32',
  })
  const found = await wrong.verify(workload, points)
  expect({ ok: found.ok, target: found.worst?.target }).toEqual({ ok: false, target: 3 })
})
