// Sums that are vectors, block of components by block: one report, one progress, one result, as for any other run.

import { type Backend, createEngine, pairTerm, reference, sum, UnsupportedWorkloadError } from '@manybody/core'
import { afterAll, describe, expect, it } from 'vitest'
import { blockRuns } from '../../src/problem/workloads/component-blocks.ts'
import { isVectorSum } from '../../src/problem/workloads/law-facts.ts'

const engine = await createEngine({ backends: [reference()], precision: 'f64' })
const single = await createEngine({ backends: [reference()] })
afterAll(() => {
  engine.dispose()
  single.dispose()
})

const count = 40
/** Four blocks of 25. */
const length = 100
const copies = sum(pairTerm('vector(x_j)')())
const x = Float64Array.from({ length: count * length }, (_, n) => n % 7)

/** A reference whose programs report some milliseconds of compiling. */
const compiling = (milliseconds: number): Backend => ({
  ...reference(),
  open: async (options) => {
    const device = await reference().open(options)
    const prepare = device.prepare.bind(device)
    return Object.assign(device, {
      prepare: async (...given: Parameters<typeof prepare>) => {
        const program = await prepare(...given)
        const report = () => Reflect.get(Object.getPrototypeOf(program), 'report', program)
        return Object.defineProperty(program, 'report', {
          get: () => ({ ...report(), timings: { ...report().timings, compile: milliseconds } }),
        })
      },
    })
  },
})

describe('the report of a vector', () => {
  it('has times that add up to that of the call', async () => {
    const given = { targets: { y: new Float64Array(128), count: 1 }, sources: { x: new Float64Array(128 * 6000) } }
    const workload = sum(pairTerm('vector(x_j - y_i)')())
    await engine.run(workload, given)
    const start = performance.now()
    const { report } = await engine.run(workload, given)
    const wall = performance.now() - start
    const { compile: _, ...parts } = report.timings
    const added = Object.values(parts).reduce((total, part) => total + part)
    expect(added).toBeLessThanOrEqual(wall)
    expect(added).toBeGreaterThan(0.9 * wall)
  })

  it('counts the compiling of its program once', async () => {
    await using slow = await createEngine({ backends: [compiling(40)], precision: 'f64' })
    expect((await slow.run(copies, { x, count })).report.timings.compile).toBe(40)
    expect((await slow.verify(copies, { x, count })).report.timings.compile).toBe(40)
  })
})

it('the progress of a check rises to 1', async () => {
  const seen: number[] = []
  await engine.verify(copies, { x, count }, { onProgress: (fraction) => seen.push(fraction) })
  expect(seen.length).toBeGreaterThan(3)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(seen.at(-1)).toBe(1)
})

it('an abort leaves the array of the caller as it was', async () => {
  const [value, controller, reason] = [new Float64Array(count * length).fill(7), new AbortController(), new Error('no')]
  const onProgress = (fraction: number) => {
    if (fraction > 0.5) controller.abort(reason)
  }
  const { signal } = controller
  await expect(engine.run(copies, { x, count }, { into: { value }, onProgress, signal })).rejects.toBe(reason)
  expect(new Set(value)).toEqual(new Set([7]))
  expect((await engine.run(copies, { x, count }, { into: { value } })).value).toBe(value)
  expect(value[1]).toBeGreaterThan(7)
})

it('blocks are made when their turn comes', () => {
  let reads = 0
  const arrays = {
    get x() {
      reads++
      return x
    },
  }
  const set = { count, arrays }
  const shape = {
    dimension: 3,
    targets: count,
    sources: count,
    sameSet: true,
    vectors: [],
    lengths: { x: length },
  } as const
  const bindings = { targets: set, sources: set, parameters: {} }
  const blocks = blockRuns({ workload: copies, shape, bindings })
  expect([blocks.count, reads]).toEqual([4, 0])
  expect([...blocks.runs].map(({ first }) => first)).toEqual([0, 25, 50, 75])
  expect(reads).toBe(4)
})

it('a device that refuses a whole vector is asked for its blocks at once from then on', async () => {
  let asked = 0
  const refusing: Backend = {
    ...reference(),
    open: async (options) => {
      const device = await reference().open(options)
      const prepare = device.prepare.bind(device)
      return Object.assign(device, {
        sumsVectors: true,
        prepare: async (...[workload, shape, plan]: Parameters<typeof prepare>) => {
          if (!isVectorSum(workload, shape)) return prepare(workload, shape, plan)
          asked++
          throw new UnsupportedWorkloadError('sum', 'reference', 'it is too long')
        },
      })
    },
  }
  await using small = await createEngine({ backends: [refusing], precision: 'f64' })
  const { value } = await engine.run(copies, { x, count })
  for (const _ of [1, 2, 3]) expect((await small.run(copies, { x, count })).value).toEqual(value)
  expect(asked).toBe(1)
  await small.prepare(copies, { count, lengths: { x: length } })
  expect(asked).toBe(1)
  await small.run(copies, { x, count: count / 2 })
  expect(asked).toBe(2)
})

it('a device is asked whether it prefers blocks before numbers are converted for it', async () => {
  let asked = 0
  const preferring: Backend = {
    ...reference(),
    open: async (options) =>
      Object.assign(await reference().open(options), { sumsVectors: true, prefersBlocks: async () => ++asked > 0 }),
  }
  await using blocks = await createEngine({ backends: [preferring] })
  const whole = Float64Array.from({ length: 2 * length }, () => 1e39)
  await expect(blocks.run(copies, { x: whole, count: 2 })).rejects.toThrow('"x" expected numbers that float32 holds')
  expect(asked).toBe(1)
  expect((await blocks.run(copies, { x, count })).value).toEqual((await single.run(copies, { x, count })).value)
  expect(asked).toBe(2)
})

describe('numbers that float32 does not hold', () => {
  const far = Float64Array.of(1, 2, 3, 1e39)

  it.each<[text: string, particles: object, parameters: object, message: string]>([
    [
      'vector(x_j)',
      { x: far, count: 2 },
      {},
      '"x" expected numbers that float32 holds, up to 3.4e38, got 1e+39 at index 3',
    ],
    [
      'vector(w*x_j)',
      { x: [1, 2, 3, 4] },
      { w: [1, 1e39] },
      '"w" expected numbers that float32 holds, up to 3.4e38, got 1e+39 at index 1',
    ],
    [
      'dot(w, x_j)',
      { x: [1, 2, 3, 4] },
      { w: [1, -1e39] },
      '"w" expected numbers that float32 holds, up to 3.4e38, got -1e+39 at index 1',
    ],
    [
      'dot(w, x_j)',
      { x: [1, 2, 3, 4] },
      { w: [1e-40, 0] },
      '"w" expected numbers that float32 holds, from 1.2e-38, got at most 1e-40',
    ],
  ])('have the name of the caller: %s', async (text, particles, parameters, message) => {
    const workload = sum(pairTerm(text, { parameters: { v: [1, 2], w: [1, 2] } })())
    const given = { ...particles, count: 2 }
    await expect(single.run(workload, given, { parameters: { ...parameters } })).rejects.toThrow(message)
    await expect(single.verify(workload, given, { parameters: { ...parameters } })).rejects.toThrow(message)
  })

  it('are found in whole vectors, not in blocks', async () => {
    const small = Float64Array.from({ length: 2 * length }, (_, n) => (n % length < 50 ? 1e-40 : 1))
    const { value } = await single.run(copies, { x: small, count: 2 })
    expect([value[0], value[99]]).toEqual([Math.fround(1e-40), 1])
    expect((await single.verify(copies, { x: small, count: 2 })).ok).toBe(true)
  })

  it('may be positions, in their own unit', async () => {
    const law = pairTerm('vector(x_j)*r')()
    const given = { x: [1, 2, 3, 4], position: Float64Array.of(1e9, 0, 0, 1e9, 0, 2 ** -10) }
    const { value } = await single.run(sum(law), given)
    expect([...value]).toEqual([3 * 2 ** -10, 4 * 2 ** -10, 2 ** -10, 2 * 2 ** -10])
  })
})
