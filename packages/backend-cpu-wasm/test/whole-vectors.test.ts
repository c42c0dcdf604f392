// Sums that are vectors in an engine whose device takes them as a whole: strays, devices that fail, and checks.

import {
  type Backend,
  createEngine,
  DeviceLostError,
  type PairWorkload,
  pairTerm,
  reference,
  sum,
  UnsupportedWorkloadError,
} from '@manybody/core'
import { describe, expect, it } from 'vitest'
import { cpuWasm } from '../src/index.ts'

const copies = sum(pairTerm('vector(b_j)')())
const length = 40
const b = Float32Array.from({ length: 5 * length }, (_, n) => n % 13)
const points = { b, count: 5 }
const expected = Array.from(b, (_, n) =>
  [0, 1, 2, 3, 4].reduce((all, j) => all + (b[j * length + (n % length)] as number), -(b[n] as number)),
)

it.each([
  ['w_j + vector(b_i - b_j) + vector(b_j - b_i)', [3, 3, 3, 3]],
  ['w_j + vector(g + b_j) - vector(b_j)', [13, 23, 13, 23]],
])('%s has all components, though its vectors cancel', async (text, value) => {
  await using engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
  const law = pairTerm(text, text.includes('g') ? { parameters: { g: [5, 10] } } : {})()
  const ran = await engine.run(sum(law, { self: 'include' }), { b: [1, 2, 3, 4], w: [1, 2], count: 2 })
  expect(Array.from(ran.value)).toEqual(value)
})

describe('a number that is not finite', () => {
  it.each([
    ['vector(sqrt(b_j))', -1, Number.NaN, 'in component 39, the law has no finite value for points 1 and 0'],
    [
      'vector(b_j)^2',
      1e30,
      Number.POSITIVE_INFINITY,
      'in component 39, the term of points 1 and 0, is 1e+60, and float32 ends at 3.4e38',
    ],
  ])('has a note: %s', async (text, stray, value, why) => {
    await using engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
    const workload = sum(pairTerm(text)())
    // The last component is in the second block.
    const given = { b: Float32Array.from({ length: 2 * length }, (_, n) => (n === length - 1 ? stray : 1)), count: 2 }
    const ran = await engine.run(workload, given)
    expect([ran.value[0], ran.value[length - 1], ran.value[2 * length - 1]]).toEqual([1, 1, value])
    expect(ran.report.notes).toEqual([expect.stringContaining(`"value" of point 1 is ${value}: ${why}`)])
    expect((await engine.verify(workload, given)).report.notes).toEqual(ran.report.notes)
  })
})

/** The processor, where `fail` is called before it prepares a whole vector, or all else. */
function failing(fail: (whole: boolean) => void): Backend {
  const cpu = cpuWasm()
  return {
    ...cpu,
    open: async (options) => {
      const device = await cpu.open(options)
      const prepare = device.prepare.bind(device)
      return Object.assign(device, {
        prepare: async (...given: Parameters<typeof prepare>) => {
          fail(Object.values(given[1].lengths ?? {}).includes(length))
          return prepare(...given)
        },
      })
    },
  }
}

const lost = () => {
  throw new DeviceLostError('cpu-wasm', { reason: 'it was unplugged', remedy: 'plug it in', final: true })
}
const refused = () => {
  throw new UnsupportedWorkloadError('term', 'cpu-wasm', 'it has no room')
}

describe.each(['run', 'prepare'] as const)('%s', (call) => {
  const begin = async (fail: (whole: boolean) => void) => {
    const backend = ['cpu-wasm', 'reference']
    const engine = await createEngine({ backends: [failing(fail), reference()], backend, threads: 1 })
    const program = call === 'prepare' ? await engine.prepare(copies, { count: 5, lengths: { b: length } }) : undefined
    const ran = await (program ? program.run(points) : engine.run(copies, points))
    program?.dispose()
    engine.dispose()
    return ran
  }

  it('goes to another device when the first is lost', async () => {
    const { value, report } = await begin((whole) => whole && lost())
    expect([Array.from(value), report.backend]).toEqual([expected, 'reference'])
    expect(report.recoveries).toEqual(call === 'run' ? ['cpu-wasm: it was unplugged'] : [])
  })

  it('goes to the same device in blocks when it refuses the whole', async () => {
    const { value, report } = await begin((whole) => whole && refused())
    expect([Array.from(value), report.backend, report.notes]).toEqual([expected, 'cpu-wasm', undefined])
  })

  it('goes to another device when the first refuses blocks, too', async () => {
    let open = false
    const fail = (whole: boolean) => {
      open ||= whole
      if (open) refused()
    }
    const { value, report } = await begin(fail)
    expect([Array.from(value), report.backend]).toEqual([expected, 'reference'])
    expect(report.notes).toEqual(['cpu-wasm cannot run this workload: it has no room; ran on reference'])
  })
})

describe('memory', () => {
  const product = sum(pairTerm('dot(x_i, x_j)*vector(b_j)')())
  const parts = sum(pairTerm('vector(exp(-b_j^2)*cos(b_i) + exp(b_j)*sin(b_i) + tanh(b_j) + b_i*b_j)')())
  const plain = { dimension: 3, sameSet: false, vectors: [] } as const

  it.each<[name: string, workload: PairWorkload, counts: readonly [number, number], lengths: Record<string, number>]>([
    ['the sums of each thread', product, [3, 3], { b: 3_000_000, x: 1 }],
    ['the vectors of many sources', product, [100, 1_000_000], { b: 768, x: 1 }],
    ['the parts that points of one side have', parts, [1300, 1], { b: 180_000 }],
  ])('does not hold %s, but their blocks', async (_, workload, [targets, sources], lengths) => {
    const whole = { ...plain, targets, sources, lengths }
    const device = await cpuWasm().open({ threads: 8 })
    await expect(device.prepare(workload, whole)).rejects.toThrow(/ on cpu-wasm: it needs about \d+ MiB/)
    device.dispose()
    await using engine = await createEngine({ backends: [cpuWasm()], threads: 8 })
    const program = await engine.prepare(workload, { targets, sources, lengths })
    program.dispose()
  })

  it('is counted for each thread', async () => {
    const whole = { ...plain, targets: 3, sources: 3, lengths: { b: 3_000_000, x: 1 } }
    const one = await cpuWasm().open({ threads: 1 })
    expect(one.supports(product, whole)).toEqual({ ok: true })
    one.dispose()
  })
})

describe('a check', () => {
  it('tells its progress and ends when it is aborted', async () => {
    await using engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
    const seen: number[] = []
    await engine.verify(copies, points, { onProgress: (fraction) => seen.push(fraction) })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.slice(-2)).toEqual([0.75, 1])
    const [controller, reason] = [new AbortController(), new Error('no')]
    const onProgress = (fraction: number) => {
      if (fraction === 0.75) controller.abort(reason)
    }
    await expect(engine.verify(copies, points, { onProgress, signal: controller.signal })).rejects.toBe(reason)
  })
})
