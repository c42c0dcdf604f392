// Jobs that a stranger might send, on a device that holds somebody else's numbers in its memory. A worker refuses such a job, or
// computes from the arrays of the job alone.

import {
  accelerations,
  countWithin,
  gravity,
  nearest,
  neighborsWithin,
  type PairWorkload,
  pairTerm,
  type Shape,
  sum,
} from '@manybody/core'
import { bind, tableParameters, withRanges } from '@manybody/core/judge'
import { afterAll, describe, expect, it } from 'vitest'
import { bytesOf, refOf, type TypedArray } from '../src/wire/arrays.ts'
import { encoded, type JobArrays } from '../src/wire/job.ts'
import { partitionOf } from '../src/wire/partition.ts'
import { Devices } from '../src/worker/devices.ts'
import { LatestJob } from '../src/worker/latest-job.ts'
import { runBlocks } from '../src/worker/run-blocks.ts'
import { Turns } from '../src/worker/turns.ts'

const points = 64
const secret = 7e6

type Group = Record<string, TypedArray>

interface Job {
  readonly workload: PairWorkload
  readonly shape: Shape
  readonly parameters: Readonly<Record<string, number>>
  readonly arrays: { targets: Group; sources?: Group; ranges?: Group; lists?: Group; tables?: Group }
}

const masses = sum(pairTerm('mass_j')())
const position = Float32Array.from({ length: 3 * points }, (_, n) => Math.sin(n + 1))
const mass = (value: number, count = points) => new Float32Array(count).fill(value)

/** A valid job for a workload, in which all masses are 1. */
function good(workload: PairWorkload): Job {
  const { shape, bindings } = bind(workload, { position, mass: mass(1) })
  const { arrays } = bindings.targets
  return { workload, shape, parameters: bindings.parameters, arrays: { targets: { ...arrays } as Group } }
}

/** A valid job in which blocks of 16 targets meet given sources. */
function ranged(): Job {
  const job = good(masses)
  const { shape, bindings } = bind(masses, { position, mass: mass(1) })
  const given = { targets: [0, 16, 32, 48, 64], offsets: [0, 1, 2, 3, 4], sources: [0, 8, 8, 16, 16, 24, 24, 32] }
  const run = withRanges({ workload: masses, shape, bindings }, given)
  return { ...job, shape: run.shape, arrays: { ...job.arrays, ranges: { ...run.bindings.ranges } as Group } }
}

const listed = (): Job => ({
  ...good(neighborsWithin(4) as PairWorkload),
  arrays: { ...good(masses).arrays, lists: { offsets: Uint32Array.from({ length: points + 1 }, (_, n) => 63 * n) } },
})

const kinds = sum(pairTerm('pull[kind_j]', { tables: { pull: [1, 1] } })())

/** A valid job whose table has other numbers of kinds than the law's, and the table's numbers. */
function tabled(parameters: Readonly<Record<string, number>> = {}, numbers = Float32Array.of(1, 1, 1)): Job {
  const { shape, bindings } = bind(kinds, { position, kind: mass(1) })
  const three = tableParameters({ pull: [1, 1, 1] })
  return {
    ...{ workload: kinds, shape, parameters: { ...bindings.parameters, ...three, ...parameters } },
    arrays: { targets: { position, kind: mass(2) }, tables: { numbers } },
  }
}

/** One device for all jobs, as in a worker. An earlier job left secret numbers in its memory. */
const devices = new Devices({ backend: 'cpu-wasm', threads: 1 })
afterAll(() => devices.dispose())

/** Runs a job as a coordinator sends it: a text, and arrays under their hashes. */
async function run(text: string, contents: ReadonlyMap<string, TypedArray>): Promise<Uint8Array> {
  const known = new LatestJob().of(text)
  const { blocks } = partitionOf(known.job.workload, known.job)
  const load = async ({ hash }: { readonly hash: string }) => {
    const array = contents.get(hash)
    if (!array) throw new Error('missing')
    return bytesOf(array)
  }
  const on = { lane: 0, turns: new Turns() }
  const never = new AbortController().signal
  return (await runBlocks(devices, known, { first: 0, last: Math.max(1, blocks) }, on, load, never)).bytes
}

/** The text of a job, and its arrays by their hashes. */
async function sent({ workload, shape, parameters, arrays }: Job) {
  const contents = new Map<string, TypedArray>()
  const group = async (one: Group) => {
    const refs = Object.entries(one).map(async ([name, array]) => {
      const ref = await refOf(array)
      contents.set(ref.hash, array)
      return [name, ref] as const
    })
    return Object.fromEntries(await Promise.all(refs))
  }
  const groups = Object.entries(arrays).map(async ([name, one]) => [name, await group(one)] as const)
  const refs = Object.fromEntries(await Promise.all(groups)) as unknown as JobArrays
  const whole = { targets: [0, shape.targets], sources: [0, shape.sources] } as const
  const job = { precision: 'f32', workload, shape, plan: undefined, parameters, ...whole, arrays: refs } as const
  return { text: new TextDecoder().decode(encoded(job)), contents }
}

/** The result of a job, or the reason why it was refused. */
async function outcomeOf(text: string, contents: ReadonlyMap<string, TypedArray>): Promise<Float32Array | string> {
  const { text: before, contents: brought } = await sent({
    ...good(masses),
    arrays: { targets: { position, mass: mass(secret) } },
  })
  await run(before, brought)
  try {
    const bytes = await run(text, contents)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  } catch (error) {
    return String(error)
  }
}

/** No sum of masses of 1 comes near a secret number. */
const leaks = (outcome: Float32Array | string) =>
  typeof outcome !== 'string' && outcome.some((x) => Math.abs(x) > secret / 2 && Math.abs(x) < 1e12)

const hostile: Readonly<Record<string, () => Job>> = {
  'no masses': () => ({ ...good(masses), arrays: { targets: { position, mass: mass(1, 0) } } }),
  'a mass for every second point': () => ({ ...good(masses), arrays: { targets: { position, mass: mass(1, 32) } } }),
  'masses for two sets': () => ({ ...good(masses), arrays: { targets: { position, mass: mass(1, 128) } } }),
  'masses of float64': () => ({ ...good(masses), arrays: { targets: { position, mass: new Float64Array(points) } } }),
  'masses that are integers': () => ({
    ...good(masses),
    arrays: { targets: { position, mass: new Int32Array(points) } },
  }),
  'no attribute that the law reads': () => ({ ...good(masses), arrays: { targets: { position } } }),
  'no positions': () => ({ ...good(masses), arrays: { targets: { mass: mass(1) } } }),
  'a mass that is NaN': () => ({ ...good(masses), arrays: { targets: { position, mass: mass(Number.NaN) } } }),
  'positions without end': () => ({
    ...good(accelerations(gravity())),
    arrays: { targets: { position: position.map(() => Number.POSITIVE_INFINITY), mass: mass(1) } },
  }),
  'ten million targets of nothing': () => ({
    ...good(masses),
    shape: { ...good(masses).shape, targets: 1e7, sources: 1e7 },
  }),
  'coordinates in two parts without the second': () => ({
    ...good(accelerations(gravity())),
    shape: { ...good(masses).shape, split: true },
  }),
  'more neighbours than there are points': () => ({
    ...good(nearest(8) as PairWorkload),
    workload: nearest(99) as PairWorkload,
  }),
  'ranges without ranges': () => ({ ...ranged(), arrays: { targets: good(masses).arrays.targets } }),
  'lists without offsets': () => ({ ...listed(), arrays: { targets: good(masses).arrays.targets } }),
  'offsets without lists': () => ({ ...good(masses), arrays: listed().arrays }),
  'a table shorter than its parameters say': () => tabled({}, Float32Array.of(1, 1)),
  'a table longer than its parameters say': () => tabled({}, new Float32Array(9)),
  'a table of a thousand rows in three numbers': () =>
    tabled({ 'tables.0.lastRow': 999, 'tables.0.columnStride': 1000 }),
  'a table that starts far away': () => tabled({ 'tables.0.start': 1e6 }),
  'a table of half a row': () => tabled({ 'tables.0.lastRow': 1.5 }),
  'a table before the array': () => tabled({ 'tables.0.start': -3 }),
  'a table without parameters': () => ({ ...tabled(), parameters: {} }),
  'a table with numbers that are not finite': () => tabled({}, Float32Array.of(1, Number.NaN, 1)),
  'exclusions of points that are not there': () => ({
    ...good(masses),
    workload: { ...masses, domain: { ...masses.domain, exclusions: [[0, 4_000_000_000]] } },
  }),
}

const badRanges: readonly (readonly [string, Readonly<Record<string, readonly number[]>>])[] = [
  ['offsets of gigabytes', { offsets: [0, 4_294_967_295, 0, 0, 4] }],
  ['offsets past the ranges', { offsets: [0, 1, 2, 3, 400] }],
  ['offsets that fall', { offsets: [0, 3, 2, 3, 4] }],
  ['too few offsets', { offsets: [0, 4] }],
  ['targets past the last', { targets: [0, 16, 32, 48, 64_000] }],
  ['targets that fall', { targets: [0, 48, 32, 48, 64] }],
  ['no targets', { targets: [] }],
  ['sources past the last', { sources: [0, 8, 8, 16, 16, 24, 24, 4_000_000_000] }],
  ['sources that fall', { sources: [8, 0, 8, 16, 16, 24, 24, 32] }],
  ['half a range', { sources: [0, 8, 8] }],
  ['an empty block', { targets: [0, 16, 16, 48, 64] }],
  ['ranges that meet', { offsets: [0, 2, 2, 3, 4] }],
  ['a range twice', { offsets: [0, 2, 2, 3, 4], sources: [0, 8, 0, 8, 16, 24, 24, 32] }],
]

const badOffsets: readonly (readonly [string, ArrayLike<number>])[] = [
  ['of gigabytes', { length: points + 1, 1: 4_294_967_295 }],
  ['that fall', Array.from({ length: points + 1 }, (_, n) => 63 * (n === 5 ? 1 : n))],
  ['that begin late', Array.from({ length: points + 1 }, (_, n) => 63 * n + 1)],
  ['of fewer neighbours', Array.from({ length: points + 1 }, (_, n) => 62 * n)],
  ['of other targets', [0, 63]],
  ['of nobody', []],
]

describe('a job that a stranger sends', () => {
  it('is computed if it is good', async () => {
    const { text, contents } = await sent(good(masses))
    expect(await outcomeOf(text, contents)).toEqual(mass(points - 1))
    const some = await sent(ranged())
    // The first eight targets are also their own sources.
    const expected = Float32Array.from({ length: points }, (_, n) => (n < 8 ? 7 : 8))
    expect(await outcomeOf(some.text, some.contents)).toEqual(expected)
    const table = await sent(tabled())
    expect(await outcomeOf(table.text, table.contents)).toEqual(mass(points - 1))
    const lists = await sent(listed())
    expect(typeof (await outcomeOf(lists.text, lists.contents))).not.toBe('string')
  })

  it.each(Object.entries(hostile))('is refused with %s', async (_, job) => {
    const { text, contents } = await sent(job())
    expect(await outcomeOf(text, contents)).toMatch(/^(TypeError|RangeError): .*expected/)
  })

  it.each(badRanges)('is refused with ranges that have %s', async (_, changes) => {
    const job = ranged()
    const changed = Object.entries(changes).map(([name, list]) => [name, Uint32Array.from(list)])
    const ranges = { ...job.arrays.ranges, ...Object.fromEntries(changed) } as Group
    const { text, contents } = await sent({ ...job, arrays: { ...job.arrays, ranges } })
    expect(await outcomeOf(text, contents)).toMatch(/^(TypeError|RangeError): "ranges/)
  })

  it.each(badOffsets)('is refused with lists whose offsets are %s', async (_, offsets) => {
    const job = listed()
    const { text, contents } = await sent({
      ...job,
      arrays: { ...job.arrays, lists: { offsets: Uint32Array.from(offsets) } },
    })
    expect(await outcomeOf(text, contents)).toMatch(/^RangeError: "(lists.offsets|index)" expected/)
  })

  it.each([
    ['a sum', () => good(masses)],
    ['given ranges', ranged],
    ['lists', listed],
    ['accelerations', () => good(accelerations(gravity()))],
    ['counts', () => good(countWithin(1) as PairWorkload)],
  ] as const)('reads only what it brought, whatever is changed in %s', async (_, job) => {
    const { text, contents } = await sent(job())
    const changes = mutationsOf(JSON.parse(text), 200)
    for (const changed of changes) {
      const outcome = await outcomeOf(changed, contents)
      expect(leaks(outcome), changed).toBe(false)
    }
  })
})

const values: readonly unknown[] = [
  0,
  -1,
  0.5,
  1,
  2,
  7,
  1e9,
  2 ** 32 - 1,
  1e300,
  null,
  true,
  '',
  'x',
  '1',
  'NaN',
  [],
  {},
  [1],
  { toString: 1 },
]

/** Texts with one changed field, chosen by a seed. */
function mutationsOf(job: object, count: number): string[] {
  let state = 1
  const draw = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  const paths: string[][] = []
  const visit = (value: unknown, path: string[]) => {
    if (path.length > 0) paths.push(path)
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name])
  }
  visit(job, [])
  return Array.from({ length: count }, () => {
    const copy = structuredClone(job)
    const path = paths[draw(paths.length)] as string[]
    let at = copy as Record<string, unknown>
    for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>
    at[path.at(-1) as string] = values[draw(values.length)]
    return JSON.stringify(copy)
  })
}
