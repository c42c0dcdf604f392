// Notes in the report about results that are not finite, for kinds of runs that simulations do not use.

import { describe, expect, it } from 'vitest'
import type { Backend, Program } from '../../src/contract/backend.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { weightedMean } from '../../src/engine/measures/weighted-mean.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { matrix, sum } from '../../src/problem/workloads/pair.ts'
import { map } from '../../src/problem/workloads/particle.ts'
import type { Shape, Workload } from '../../src/problem/workloads/workload.ts'
import { reference } from '../../src/truth/reference/backend.ts'
import { fakeBackend } from '../support/fake-backends.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const root = pairTerm('sqrt(p_i*p_j)', { name: 'root' })()
const count = 300
const points = (sign: (n: number) => number) => ({
  position: new Float64Array(3 * count).map((_, n) => n),
  p: Float64Array.from({ length: count }, (_, n) => sign(n)),
})

describe('the notes of a report', () => {
  it('find widespread strays in a matrix that is only looked at here and there', async () => {
    await using engine = await referenceEngine()
    expect(count ** 2).toBeGreaterThan(2 ** 16)
    const odd = await engine.run(
      matrix(root),
      points((n) => (n % 5 === 3 ? -1 : 1)),
    )
    expect(odd.report.notes?.[0]).toMatch(/^"value" of row 0, column 3 and 28799 more is NaN: .*points 0 and 3/)
    const even = await engine.run(
      matrix(root),
      points(() => 1),
    )
    expect(even.report.notes).toBeUndefined()
  })

  it('are there for a matrix that is computed in blocks, once', async () => {
    const backend = fakeBackend('small', { limits: { resultBytes: 64 } })
    await using engine = await createEngine({ backends: [backend], precision: 'f64' })
    const four = { position: new Float64Array(12).map((_, n) => n), p: Float64Array.of(1, 1, -1, 1) }
    const { report } = await engine.run(matrix(root), four)
    expect(report.notes).toEqual([
      '"value" of row 0, column 2 and 5 more is NaN: the law has no finite value for points 0 and 2, which are 10.39 apart: sqrt(p_i * p_j) is NaN for an operand of -1',
    ])
  })

  it('come with the rows of a stream that they are about', async () => {
    await using engine = await referenceEngine()
    const four = { position: new Float64Array(12).map((_, n) => n), p: Float64Array.of(1, 1, 1, 1) }
    const odd = pairTerm('log(9.5 - dx^2)', { name: 'near' })()
    const notes: (readonly string[] | undefined)[] = []
    for await (const rows of engine.stream(matrix(root), four, { rows: 2 })) notes.push(rows.notes)
    expect(notes).toEqual([undefined, undefined])
    const found: string[] = []
    for await (const rows of engine.stream(matrix(odd), four, { rows: 1 })) found.push(String(rows.notes))
    expect(found[3]).toMatch(/^"value" of row 3, column 0 and 1 more is NaN: .*points 3 and 0, .*operand of -71.5$/)
  })

  it('come with a weighted mean, which is not a number where a score is none', async () => {
    await using engine = await referenceEngine()
    const given = { position: [0, 0, 0, 1, 0, 0, 2, 0, 0], p: [1, 1, -1] }
    const { value, notes } = await weightedMean(engine, { score: 'log(p_i)', value: 'dx' }, given)
    expect([...value].map(Number.isNaN)).toEqual([false, false, true])
    expect(notes?.[0]).toContain('log(p_i) is NaN for an operand of -1')
    const usual = await weightedMean(engine, { score: 'log(p_i)', value: 'dx' }, { ...given, p: [1, 1, 1] })
    expect(usual.notes).toBeUndefined()
  })

  it('follow those of the device', async () => {
    const right = reference()
    const backend: Backend = {
      ...right,
      async open(options) {
        const device = await right.open(options)
        const prepare = async (workload: Workload, shape: Shape): Promise<Program> => {
          const program = await device.prepare(workload, shape)
          return {
            run: (bindings, options) => program.run(bindings, options),
            dispose: () => program.dispose(),
            get report() {
              return { ...program.report, notes: ['it was slow'] }
            },
          }
        }
        return { ...device, prepare }
      },
    }
    await using engine = await createEngine({ backends: [backend], precision: 'f64' })
    const { report } = await engine.run(sum(root), { position: [0, 0, 0, 1, 0, 0], p: [1, -1] })
    expect(report.notes).toEqual(['it was slow', expect.stringContaining('"value" of point 0 and 1 more is NaN')])
  })

  it('are there in prepared runs and in runs into given arrays, and do not stay', async () => {
    await using engine = await referenceEngine()
    const program = await engine.prepare(map({ log: 'log(x)' }), { count: 2 })
    const into = { log: new Float64Array(2) }
    const first = await program.run({ x: [1, -2] }, { into })
    expect(first.report.notes?.[0]).toBe('"log" of point 1 is NaN: log(x) is NaN for an operand of -2')
    expect((await program.run({ x: [1, 2] }, { into })).report.notes).toBeUndefined()
  })

  it('say that float64 ends, too', async () => {
    await using engine = await referenceEngine()
    const { report } = await engine.run(sum(pairTerm('p_j')()), {
      position: [0, 0, 0, 1, 0, 0, 2, 0, 0],
      p: [1e308, 1e308, 1e308],
    })
    expect(report.notes?.[0]).toBe('"value" of point 0 and 2 more is Infinity: the terms add up to Infinity')
  })
})
