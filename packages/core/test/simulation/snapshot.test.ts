// Snapshots from storage: any field replaced by anything gives the same simulation or an error, and flipped bits are seen.
// A snapshot that was changed on purpose resumes from its new values.

import { describe, expect, it } from 'vitest'
import { pairForce } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { checksumOfArray, checksumOfData } from '../../src/simulation/checksum.ts'
import { externalForce } from '../../src/simulation/forces/external-force.ts'
import { velocityVerlet } from '../../src/simulation/integrators.ts'
import type { SimulationState } from '../../src/simulation/state.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const next = random(31)
const count = 6
const engine = await referenceEngine()
const simulation = await engine.simulate({
  law: gravity({ softening: 0.3 }),
  particles: {
    position: numbersBetween(next, 3 * count, -1, 1),
    velocity: numbersBetween(next, 3 * count, -0.5, 0.5),
    mass: numbersBetween(next, count, 0.5, 2),
    drag: numbersBetween(next, count, 0.5, 2),
  },
  dt: 0.02,
  integrator: velocityVerlet,
  domain: { boundary: periodic([4, 4, 4]), cutoff: 1.5, switchDistance: 1, exclusions: [[0, 1]] },
})
await simulation.step(3)
const good = await simulation.snapshot()
await simulation.step(2)
const expected = await simulation.read('position')

async function goOn(snapshot: unknown): Promise<ArrayLike<number>> {
  const resumed = await engine.resume(snapshot as SimulationState)
  try {
    await resumed.step(2)
    expect(resumed.steps).toBe(5)
    return await resumed.read('position')
  } finally {
    resumed.dispose()
  }
}

const isArray = (data: unknown): data is Float64Array => ArrayBuffer.isView(data)

/** Where something stands in a snapshot, and one place for something more in each object. */
function pathsIn(data: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof data !== 'object' || data === null || isArray(data)) return [path]
  const inside = Object.entries(data).flatMap(([name, value]) => pathsIn(value, [...path, name]))
  return [...(path.length ? [path] : []), ...inside, [...path, 'more']]
}

function replaced(data: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const copy = (Array.isArray(data) ? [...data] : { ...(data as object) }) as Record<string, unknown>
  copy[name] = replaced(copy[name], rest, value)
  return copy
}

const values: readonly unknown[] = [
  ...[undefined, null, NaN, Infinity, -1, 0, 1, 1.5, 1e308, '1', 'x', '', true, [], {}, [0, 1], () => 0],
  ...[new Float32Array(3), new Float64Array(3 * count), new Float64Array(count), new Uint8Array(3 * count)],
  ...[good.law, good.domain, good.integrator, { length: 3 * count }],
]

describe('a snapshot with any field replaced', () => {
  it.each(pathsIn(good).map((path) => [path.join('.'), path] as const))(
    'is refused or resumes right: %s',
    async (_, path) => {
      for (const [n, value] of values.entries()) {
        const what = `value ${n}`
        const got = await goOn(replaced(good, path, value)).catch((error: unknown) => error as Error)
        if (got instanceof Error)
          expect([what, got.message]).toEqual([what, expect.stringMatching(/"|expression|expected an object with/)])
        else expect([what, got]).toEqual([what, expected])
      }
    },
  )
})

it('a flipped bit in the numbers or in the description of a snapshot is noticed', async () => {
  for (const name of Object.keys(good.arrays))
    for (const bit of [0, 62, 63]) {
      const snapshot = structuredClone(good)
      const bits = new BigUint64Array((snapshot.arrays[name] as Float64Array).buffer as ArrayBuffer)
      for (const n of [2, 4]) bits[n] = (bits[n] as bigint) ^ (1n << BigInt(bit))
      await expect(goOn(snapshot)).rejects.toThrow(new RegExp(`^"(arrays\\.)?${name}" (expected|does not match)`))
    }
  const dt = { ...good, dt: 0.020000000000000004 }
  await expect(goOn(dt)).rejects.toThrow('"dt" does not match the checksum of the snapshot')
})

it('the order of the fields of a snapshot does not matter', async () => {
  const turned = (data: unknown): unknown =>
    typeof data !== 'object' || data === null || Array.isArray(data) || isArray(data)
      ? data
      : Object.fromEntries(
          Object.entries(data)
            .reverse()
            .map(([name, value]) => [name, turned(value)]),
        )
  expect(await goOn(turned(good))).toEqual(expected)
})

it('a snapshot of a later release is refused', async () => {
  await expect(goOn({ ...good, version: 3 })).rejects.toThrow(
    '"version" expected 1 or 2, got 3; resume it with the release that made it',
  )
})

it('a snapshot of the previous release, without version and checksum, resumes bit for bit after the same checks', async () => {
  const { version: _, checksum: _c, ...old } = good
  expect(await goOn(old)).toEqual(expected)
  const { domain: _d, ...boundless } = old
  await expect(goOn(boundless)).rejects.toThrow('"domain" expected what simulation.snapshot() gave, got nothing')
  await expect(goOn({ ...old, law: { ...old.law, parameters: { G: null, softening: 0 } } })).rejects.toThrow(
    '"G" expected number, got null',
  )
})

it('a snapshot whose positions were moved on purpose gets new accelerations', async () => {
  const moved = { ...good.arrays, position: (good.arrays.position as Float64Array).map((x) => x / 2) }
  const resumed = await engine.resume({ ...good, arrays: moved, checksum: undefined })
  const { position, velocity, mass, drag } = moved as Record<string, Float64Array>
  const fresh = await engine.simulate({
    ...{ law: good.law, dt: good.dt, integrator: velocityVerlet, domain: good.domain },
    particles: { position, velocity, mass, drag } as never,
  })
  expect(await resumed.read('acceleration')).toEqual(await fresh.read('acceleration'))
  await Promise.all([resumed.step(3), fresh.step(3)])
  expect(await resumed.read('position')).toEqual(await fresh.read('position'))
})

it('the symmetry that a snapshot stores is not trusted', async () => {
  const law = pairForce('mass_i*mass_j*mass_j', { inertia: 'mass' })()
  const state = { ...good, law, checksum: undefined }
  const [honest, lying] = [state, { ...state, law: { ...law, symmetric: true } }].map(goOn)
  expect(await lying).toEqual(await honest)
})

it('checksums are those of MurmurHash3', () => {
  // Of the bytes 21 43 65 87, seed 4: the same words for the type that is 4 bytes wide.
  const known = new Float32Array(Uint32Array.of(0x87654321).buffer)
  expect(checksumOfArray(known)).toBe(murmur(known, 4))
  expect(checksumOfData({ b: 1, a: [1, 2] })).toBe(checksumOfData({ a: [1, 2], b: 1 }))
  expect(checksumOfData('abc')).not.toBe(checksumOfData('abc '))
})

/** The published algorithm with 64-bit integers, for comparison. */
function murmur(array: Float32Array, seed: number): string {
  const mask = 0xffffffffn
  const turn = (x: bigint, by: bigint) => ((x << by) | (x >> (32n - by))) & mask
  let h = BigInt(seed)
  for (const word of new Uint32Array(array.buffer)) {
    const k = (turn((BigInt(word) * 0xcc9e2d51n) & mask, 15n) * 0x1b873593n) & mask
    h = (turn(h ^ k, 13n) * 5n + 0xe6546b64n) & mask
  }
  h ^= BigInt(array.byteLength)
  h = ((h ^ (h >> 16n)) * 0x85ebca6bn) & mask
  h = ((h ^ (h >> 13n)) * 0xc2b2ae35n) & mask
  return (h ^ (h >> 16n)).toString(16).padStart(8, '0')
}

describe('the clock of a snapshot', () => {
  const particles = { position: [0, 0, 0], mass: [1] }
  const forces = [externalForce(['time', '0', '0'], { inertia: 'mass' })()]
  const changing = { step: '0.25*mass', parameters: {}, shortest: 0.125, longest: 0.25 }
  /** As version 1 had it: a clock only where steps adapt, without the number of steps. */
  async function older(dt: SimulationState['dt']): Promise<SimulationState> {
    const simulation = await engine.simulate({ forces, particles, dt })
    await simulation.step(4)
    const { clock, version: _, checksum: sums, ...others } = await simulation.snapshot()
    const adapts = typeof dt !== 'number'
    const old = adapts && clock ? { clock: { time: clock.time, dt: clock.dt } } : {}
    const { clock: _c, ...kept } = sums as Record<string, string>
    const checksum = { ...kept, ...(adapts && { clock: checksumOfData(old.clock) }), version: checksumOfData(1) }
    return { ...others, ...(old as object), version: 1, checksum }
  }
  const timeOf = async (snapshot: SimulationState) => (await engine.resume(snapshot)).time

  it('is read from snapshots of version 1, with their checksums', async () => {
    expect(await timeOf(await older(0.5))).toBe(2)
    expect(await timeOf(await older(changing))).toBe(1)
    expect(await timeOf({ ...(await older(changing)), dt: 0.5, checksum: undefined })).toBe(1)
  })

  it('must be known where steps begin to adapt', async () => {
    const old = { ...(await older(0.5)), dt: changing, checksum: undefined }
    await expect(engine.resume(old)).rejects.toThrow(
      '"clock" expected what simulation.snapshot() gave, got nothing; an',
    )
    expect(await timeOf({ ...old, clock: { time: [2, 0], steps: 4, dt: 0.5 } })).toBe(2)
    expect(await timeOf({ ...old, steps: 0 })).toBe(0)
  })

  it.each<[name: string, clock: unknown, message: string]>([
    ['no time', { steps: 0, dt: 0.5 }, '"clock.time" expected a list of two numbers'],
    [
      'a time that is not finite',
      { time: [NaN, 0], steps: 0, dt: 0.5 },
      '"clock.time" expected finite number, got NaN',
    ],
    ['a step to come', { time: [0, 0], steps: 5, dt: 0.5 }, '"clock.steps" expected at most 4, the steps taken, got 5'],
    ['another part', { time: [0, 0], steps: 0, dt: 0.5, t: 1 }, '"t" is not a part of clock; expected time, steps, dt'],
  ])('is refused with %s', async (_, clock, message) => {
    const simulation = await engine.simulate({ forces, particles, dt: 0.5 })
    await simulation.step(4)
    const damaged = { ...(await simulation.snapshot()), clock: clock as never, checksum: undefined }
    await expect(engine.resume(damaged)).rejects.toThrow(message)
  })

  it('begins at the time given, which must be a number', async () => {
    const late = await engine.simulate({ forces, particles, dt: 0.5, time: 7 })
    await late.step(3)
    expect([late.time, (await late.read('acceleration'))[0]]).toEqual([8.5, 8.5])
    await late.write('mass', [2])
    expect([late.time, (await late.read('acceleration'))[0]]).toEqual([8.5, 4.25])
    await expect(engine.simulate({ forces, particles, dt: 0.5, time: '7' as never })).rejects.toThrow(
      '"time" expected number, got "7"',
    )
  })
})
