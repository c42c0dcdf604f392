// Messages, jobs, arrays and their caches, as a stranger might send them.

import { accelerations, countWithin, gravity, neighborsWithin, pairTerm, periodic, reduce, sum } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { describe, expect, it } from 'vitest'
import { Gather } from '../src/coordinator/gather.ts'
import { answerIn } from '../src/wire/answer.ts'
import { bytesOf, checkedRef, refOf } from '../src/wire/arrays.ts'
import { ByteCache } from '../src/wire/cache.ts'
import { type ClusterJob, encoded, jobFrom } from '../src/wire/job.ts'
import { decode, encode } from '../src/wire/message.ts'
import { partitionOf, pointsIn } from '../src/wire/partition.ts'
import { type RunLayout, read } from '../src/wire/results.ts'
import { subjectsOf } from '../src/wire/subjects.ts'

const workload = accelerations(gravity())
const shape = { dimension: 3, targets: 4, sources: 4, sameSet: true, vectors: ['position'] } as const

async function gravityJob(changes: Partial<ClusterJob> = {}): Promise<ClusterJob> {
  const targets = { position: await refOf(new Float32Array(12)), mass: await refOf(new Float32Array(4)) }
  const parameters = { G: 1, softening: 0 }
  const ranges = { targets: [0, 4], sources: [0, 4] } as const
  return { precision: 'f32', workload, shape, plan: undefined, parameters, ...ranges, arrays: { targets }, ...changes }
}

const textOf = (job: ClusterJob) => new TextDecoder().decode(encoded(job))

describe('a message', () => {
  it('carries a header and bytes', () => {
    const { header, bytes } = decode(encode({ kind: 'part', at: 8 }, Uint8Array.of(1, 2, 3)))
    expect(header).toEqual({ kind: 'part', at: 8 })
    expect([...bytes]).toEqual([1, 2, 3])
  })

  it.each([
    ['nothing', new Uint8Array(0)],
    ['a header longer than the message', Uint8Array.of(9, 0, 0, 0, 123)],
    ['a header of gigabytes', Uint8Array.of(0, 0, 0, 255, 123, 125)],
    ['no JSON', Uint8Array.of(2, 0, 0, 0, 123, 123)],
    ['a list', Uint8Array.of(2, 0, 0, 0, 91, 93)],
    ['no UTF-8', Uint8Array.of(2, 0, 0, 0, 255, 254)],
  ])('is refused if it has %s', (_, data) => {
    expect(() => decode(data)).toThrow()
  })
})

describe('a job', () => {
  it('arrives as it was sent, including numbers that JSON lacks', async () => {
    const job = await gravityJob({ parameters: { G: 2, softening: -0 } })
    expect(jobFrom(textOf(job))).toEqual(job)
    const counts = await gravityJob({ workload: countWithin(2), parameters: { cutoff: 2 } })
    expect(jobFrom(textOf(counts))).toEqual(counts)
  })

  it('has the cutoff and the box of now, which a simulation has changed since the workload was made', async () => {
    const near = countWithin(2, { boundary: periodic([9, 9, 9]) })
    const job = await gravityJob({ workload: near, parameters: { cutoff: 1.5, boxX: 8, boxY: 8, boxZ: 8 } })
    expect(jobFrom(textOf(job))).toEqual(job)
    const negative = { ...job, parameters: { ...job.parameters, boxX: -8 } }
    expect(() => jobFrom(textOf(negative))).toThrow('"boxX" expected finite number > 0, got -8')
  })

  it('has the sizes of kinds, where a cutoff reads tables', async () => {
    const law = pairTerm('exp(-r2)', { tables: { size: [1, 2] } })()
    const sized = sum(law, { cutoff: 'size[kind_i] + size[kind_j]' })
    const points = { position: new Float32Array(12), kind: Float32Array.of(0, 1, 0, 1) }
    const { bindings } = bind(sized, points)
    expect(Object.keys(bindings.parameters)).toContain('cutoff:size:kind:1')
    const job = await gravityJob({ workload: sized, parameters: bindings.parameters })
    expect(jobFrom(textOf(job))).toEqual(job)
    const endless = { ...job, parameters: { ...job.parameters, 'cutoff:size:kind:1': Number.NaN } }
    expect(() => jobFrom(textOf(endless))).toThrow('"cutoff:size:kind:1" expected finite number')
    const { 'cutoff:size:kind:7': _, ...few } = job.parameters
    expect(() => jobFrom(textOf({ ...job, parameters: few }))).toThrow('"cutoff:size:kind:7" expected number')
    for (const name of ['cutoff:size:kind:8', 'cutoff:size:row:0', 'cutoff:other:kind:0'])
      expect(() => jobFrom(textOf({ ...job, parameters: { ...job.parameters, [name]: 1 } }))).toThrow(
        `"${name}" is not`,
      )
    const plain = await gravityJob({ workload: countWithin(2), parameters: { cutoff: 2, 'cutoff:size:kind:0': 1 } })
    expect(() => jobFrom(textOf(plain))).toThrow('"cutoff:size:kind:0" is not')
  })

  const hostile: readonly (readonly [string, (job: Record<string, never>) => object, RegExp])[] = [
    ['another protocol', (job) => ({ ...job, protocol: 99 }), /one version of manybody/],
    ['a law that is not a text', (job) => ({ ...job, workload: { ...workload, law: () => 1 } }), /law/],
    ['a map', (job) => ({ ...job, workload: { loop: 'particle', operation: 'map' } }), /workload/],
    ['an unknown precision', (job) => ({ ...job, precision: 'f16' }), /"f32" or "f64"/],
    [
      'arrays of terabytes',
      (job) => ({
        ...job,
        arrays: { targets: { position: { hash: '0'.repeat(64), type: 'Float32Array', length: 4e12 } } },
      }),
      /more than/,
    ],
    ['seven dimensions', (job) => ({ ...job, shape: { ...shape, dimension: 7 } }), /shape.dimension.*1, 2 or 3/],
    ['half a point', (job) => ({ ...job, shape: { ...shape, targets: 3.5 } }), /shape.targets.*integer/],
    ['endless points', (job) => ({ ...job, shape: { ...shape, targets: 1e15, sources: 1e15 } }), /at most/],
    ['two sets in one', (job) => ({ ...job, shape: { ...shape, targets: 3 } }), /as many sources as targets/],
    ['targets that are not there', (job) => ({ ...job, targets: [0, 5] }), /targets.*<= 4/],
    ['sources that are not there', (job) => ({ ...job, sources: [-1, 4] }), /sources.*<= 4/],
    ['a parameter of nobody', (job) => ({ ...job, parameters: { G: 1, softening: 0, boxX: 1 } }), /"boxX" is not/],
    ['a parameter that is no number', (job) => ({ ...job, parameters: { G: 'x', softening: 0 } }), /"G".*NaN/],
    ['a plan that is none', (job) => ({ ...job, plan: { variant: 1 } }), /plan.variant/],
    [
      'lists of a kind that nobody has',
      (job) => ({ ...job, arrays: { targets: {}, secrets: {} } }),
      /"secrets" is not/,
    ],
    ['sources beside one set', (job) => ({ ...job, arrays: { targets: {}, sources: {} } }), /"sources" is not/],
  ]
  it.each(hostile)('is refused if it has %s', async (_, change, message) => {
    const text = JSON.stringify(change(JSON.parse(textOf(await gravityJob()))))
    expect(() => jobFrom(text)).toThrow(message)
  })

  it('names arrays by their content', async () => {
    const [a, b, c] = [Float32Array.of(1, 2), Float32Array.of(1, 2), Float32Array.of(1, 3)]
    expect(await refOf(a)).toEqual(await refOf(b))
    expect((await refOf(a)).hash).not.toBe((await refOf(c)).hash)
    expect(() => checkedRef({ hash: '../../x', type: 'Float32Array', length: 1 }, 'a')).toThrow(/hexadecimal/)
    expect(() => checkedRef({ hash: '0'.repeat(64), type: 'constructor', length: 1 }, 'a')).toThrow(/type/)
  })
})

describe('a partition', () => {
  it.each([
    [1, 1],
    [63, 1000],
    [4096, 4096],
    [1_000_000, 1_000_000],
    [1, 10_000_000],
    [511, 65536],
  ])('of %i targets and %i sources covers all points once', (targets, sources) => {
    const partition = partitionOf(workload, { targets: [0, targets], sources: [0, sources] })
    const whole = partition.divides === 'targets' ? targets : sources
    let at = 0
    for (let block = 0; block < partition.blocks; block++) {
      const [first, last] = pointsIn(partition, { first: block, last: block + 1 })
      expect(first).toBe(at)
      expect(last).toBeGreaterThan(first)
      at = last
    }
    expect(at).toBe(whole)
  })

  it('divides sources only where results of parts can be combined into few numbers', () => {
    const wide = { targets: [0, 8], sources: [0, 1e6] } as const
    expect(partitionOf(reduce('argmin', gravity()), wide).divides).toBe('sources')
    expect(partitionOf(neighborsWithin(1), wide).divides).toBe('targets')
  })
})

describe('gathering', () => {
  it('keeps the first result of a block, and reports one that differs', async () => {
    const job = await gravityJob()
    const partition = partitionOf(workload, job)
    expect(partition).toMatchObject({ divides: 'targets', size: 1, blocks: 4 })
    const gather = new Gather(job, partition, undefined, undefined)
    // Messages may end anywhere.
    const of = (...numbers: number[]) => {
      const bytes = new Uint8Array(gather.layout({ first: 0, last: numbers.length / 3 }).bytes)
      bytes.set(bytesOf(Float32Array.from(numbers)))
      return [bytes.subarray(0, 5), bytes.subarray(5, 5), bytes.subarray(5, 7), bytes.subarray(7)]
    }
    expect(gather.place({ first: 1, last: 2 }, [true], of(4, 5, 6))).toEqual([])
    expect(gather.place({ first: 0, last: 2 }, [true, false], of(1, 2, 3, 4, 5, 6))).toEqual([])
    expect(gather.place({ first: 1, last: 3 }, [false, true], of(4, 5, 7, 8, 9, 10))).toEqual([
      { block: 1, targets: [1, 2], sources: [0, 4], results: { acceleration: Float32Array.of(4, 5, 7) } },
    ])
    expect(gather.first(1).results).toEqual({ acceleration: Float32Array.of(4, 5, 6) })
    expect(gather.results(undefined).acceleration?.slice(0, 9)).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6, 8, 9, 10))
  })
})

describe('results that are divided anywhere', () => {
  it.each([1, 3, 8, 13])('are put together from parts of %i bytes', async (size) => {
    const job = await gravityJob({ workload: reduce('argmin', gravity()) })
    const partition = partitionOf(job.workload, job)
    const gather = new Gather(job, partition, undefined, undefined)
    const { runs, bytes: length } = gather.layout({ first: 1, last: 4 })
    expect(runs[0]?.pieces.map(({ name }) => name)).toEqual(['index', 'value'])
    const bytes = new Uint8Array(length)
    const sent = Object.values(read(bytes, runs[0] as RunLayout))
    for (const [n, column] of sent.entries()) column.set([10 * n + 1, 10 * n + 2, 10 * n + 3])
    const parts = Array.from({ length: Math.ceil(length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))
    expect(gather.place({ first: 1, last: 4 }, [true, true, true], parts)).toEqual([])
    const { index, value } = gather.results(undefined)
    expect([index, value]).toEqual([Int32Array.of(0, 1, 2, 3), Float32Array.of(0, 11, 12, 13)])
  })
})

describe('a cache of bytes', () => {
  it('forgets what was unused for longest, and what did not load', async () => {
    const cache = new ByteCache(10)
    const loads: string[] = []
    const of = (key: string, bytes: number) =>
      cache.of(key, bytes, async () => {
        loads.push(key)
        if (key === 'bad') throw new Error('no')
        return new Uint8Array(bytes)
      })
    await of('a', 4)
    await of('b', 4)
    await of('a', 4)
    await of('c', 4)
    await of('a', 4)
    await of('b', 4)
    expect(loads).toEqual(['a', 'b', 'c', 'b'])
    await expect(of('bad', 1)).rejects.toThrow('no')
    expect(cache.bytes).toBeLessThanOrEqual(10)
  })
})

it.each(['', 'a.b', 'a*', '>', 'a b', 'x'.repeat(65)])(
  'refuses the name %j, which would reach other subjects',
  (name) => {
    expect(() => subjectsOf(name)).toThrow(/letters/)
  },
)

describe('an answer', () => {
  const report = { variant: 'simd', accumulation: 'block', chains: [256, 4], evaluated: 16, compile: 0 }
  const bytes = Uint8Array.of(1, 2)
  const done = { kind: 'done', task: '1', at: 0, time: 3, report }

  it('has the time and the report of the worker at the end of a call', () => {
    const { evaluated, ...rest } = report
    const end = { time: 3, evaluated, report: rest }
    expect(answerIn(encode(done, bytes))).toEqual({ kind: 'done', task: '1', at: 0, bytes, end })
    expect(answerIn(encode({ kind: 'part', task: '1', at: 8 }, bytes))).toEqual({
      kind: 'part',
      task: '1',
      at: 8,
      bytes,
    })
  })

  it('gives a reason that a terminal can print', () => {
    const failed = answerIn(encode({ kind: 'failed', task: '1', reason: '\u001b[2Jgone', missing: { x: 1 } }))
    expect(failed).toEqual({ kind: 'failed', task: '1', failure: { reason: '?[2Jgone' } })
  })

  it.each([
    ['no report', { ...done, report: undefined }],
    ['no time', { ...done, time: undefined }],
    ['a negative time', { ...done, time: -1 }],
    ['a time that is no number', { ...done, time: '3' }],
    ['a variant that is no text', { ...done, report: { ...report, variant: 7 } }],
    ['a variant of a megabyte', { ...done, report: { ...report, variant: 'x'.repeat(1e4) } }],
    ['an unknown accumulation', { ...done, report: { ...report, accumulation: 'exact' } }],
    ['chains of texts', { ...done, report: { ...report, chains: ['256'] } }],
    ['an endless number of pairs', { ...done, report: { ...report, evaluated: Number.POSITIVE_INFINITY } }],
    ['no time to compile', { ...done, report: { ...report, compile: undefined } }],
    ['a task that is an object', { kind: 'part', task: { toString: 1 }, at: 0 }],
    ['a place before the first', { kind: 'part', task: '1', at: -1 }],
    ['no kind', { task: '1', at: 0 }],
    ['calls that are no list', { kind: 'there', lacks: 'all' }],
    ['calls that are no texts', { kind: 'there', lacks: [{ toString: 1 }] }],
  ])('is rejected with %s', (_, header) => {
    expect(answerIn(encode(header))).toBeUndefined()
  })

  it.each([new Uint8Array(0), Uint8Array.of(1), Uint8Array.of(1, 0, 0, 0, 123), Uint8Array.of(2, 0, 0, 0, 91, 93)])(
    'is rejected if it is no message: %s',
    (data) => expect(answerIn(data)).toBeUndefined(),
  )
})
