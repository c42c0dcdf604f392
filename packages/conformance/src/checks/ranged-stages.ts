/**
 * A stage over ranges must leave the same results in its buffers as a run over the same ranges returns. Ranges that do not fit are
 * rejected.
 *
 * @module
 */
import {
  countWithin,
  type Device,
  matrix,
  nearest,
  type PairWorkload,
  type Particles,
  pairTerm,
  type Stage,
  UnsupportedWorkloadError,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { reduction } from '../cases/folds/reductions.ts'
import { type Check, tolerance, unless } from './check.ts'
import { count, drift, points, preparedPull, pull } from './problem.ts'

type Ranges = Pick<Stage, 'targets' | 'sources'>

/** Parts of one point, inside a tile, over the end of one, and without points. */
const ranged: readonly Ranges[] = [
  { targets: [3, 40] },
  { sources: [5, 66] },
  { targets: [64, 70], sources: [1, 65] },
  { targets: [8, 9], sources: [69, 70] },
  { sources: [7, 7] },
  { targets: [9, 9] },
]

const weighted = pairTerm('mass_j*r2', { name: 'weighted distance' })()
const workloads: Readonly<Record<string, PairWorkload>> = {
  accelerations: pull,
  counts: countWithin(1),
  'nearest 3': nearest(3),
  ...Object.fromEntries(
    (['min', 'argmax', 'logsumexp'] as const).map((operation) => [operation, reduction(operation, weighted)]),
  ),
  'matrix rows': matrix(weighted),
}

const bad: readonly unknown[] = [[-1, 3], [5, 4], [0, count + 1], [0.5, 2], [0], 'all', Number.NaN]

export const rangedStageChecks: readonly Check[] = [
  ...Object.entries(workloads).map(([name, workload]) => ({
    name: `sequences: ${name} over ranges, as runs over the same ranges`,
    async faults(device: Device) {
      const one = points(device)
      const sets: readonly Particles[] = [one, { targets: one, sources: points(device, 73) }]
      return (await Promise.all(sets.map((particles) => rangedFaults(device, workload, particles)))).flat()
    },
  })),
  {
    name: 'sequences: ranges that do not fit are rejected',
    async faults(device) {
      const { bindings, program } = await preparedPull(device)
      const acceleration = await device.buffer(3 * count)
      const stage = { program, bindings, outputs: { acceleration } }
      const ended: (readonly string[])[] = []
      for (const side of ['targets', 'sources'] as const)
        for (const range of bad) ended.push(await rejection(device, stage, side, range))
      for (const owned of [acceleration, program]) owned.dispose()
      return ended.flat()
    },
  },
  {
    name: 'sequences: a map over a range is rejected',
    async faults(device) {
      const { position } = points(device)
      const { shape, bindings } = bind(drift, { position, velocity: position, acceleration: position })
      if (!device.supports(drift, shape).ok) return []
      const program = await device.prepare(drift, shape)
      const outputs = { position: await device.buffer(3 * count), velocity: await device.buffer(3 * count) }
      const faults = await rejection(device, { program, bindings, outputs }, 'targets', [0, 7])
      for (const owned of [program, ...Object.values(outputs)]) owned.dispose()
      return faults
    },
  },
]

/** The faults of a workload over all ranges; none if the device says that its sequences cannot keep the results. */
async function rangedFaults(device: Device, workload: PairWorkload, particles: Particles): Promise<readonly string[]> {
  const { shape, bindings } = bind(workload, particles)
  if (!device.supports(workload, shape).ok) return []
  const program = await device.prepare(workload, shape)
  const faults: string[] = []
  for (const ranges of ranged) {
    const expected = await program.run(bindings, ranges)
    const outputs: Record<string, Awaited<ReturnType<Device['buffer']>>> = {}
    for (const [name, { length }] of Object.entries(expected)) {
      const buffer = await device.buffer(length)
      // The previous content of the buffer must not stay in it.
      await buffer.write(new (device.info.precision === 'f64' ? Float64Array : Float32Array)(length).fill(7))
      outputs[name] = buffer
    }
    try {
      const sequence = await device.sequence([{ program, bindings, outputs, ...ranges }])
      await sequence.run(2)
      sequence.dispose()
      for (const [name, numbers] of Object.entries(expected)) {
        const kept = (await outputs[name]?.read()) ?? []
        faults.push(...different(name, kept, numbers, device).map((fault) => `${JSON.stringify(ranges)}: ${fault}`))
      }
    } catch (error) {
      if (!(error instanceof UnsupportedWorkloadError)) throw error
    } finally {
      for (const buffer of Object.values(outputs)) buffer.dispose()
    }
  }
  program.dispose()
  return faults
}

/** A fault unless all numbers agree: integers and infinities exactly, others within the tolerance. */
function different(
  name: string,
  kept: ArrayLike<number>,
  expected: ArrayLike<number>,
  { info }: Device,
): readonly string[] {
  const whole = name === 'index' || name === 'count'
  const finite = Array.from(expected).filter(Number.isFinite).map(Math.abs)
  const allowed = whole ? 0 : tolerance[info.precision] * Math.max(0, ...finite)
  const near = (want: number, n: number) => kept[n] === want || Math.abs((kept[n] as number) - want) <= allowed
  const at = Array.from(expected).findIndex((want, n) => !near(want, n))
  if (at >= 0) return [`${name} expected ${expected[at]} at ${at}, got ${kept[at]}`]
  return unless(kept.length === expected.length, `${name} expected ${expected.length} numbers, got ${kept.length}`)
}

/** A fault unless a sequence with this range is refused with an error that names it, at the latest when it runs. */
async function rejection(
  device: Device,
  stage: Stage,
  side: 'targets' | 'sources',
  range: unknown,
): Promise<readonly string[]> {
  const ended = await device
    .sequence([{ ...stage, [side]: range }])
    .then((sequence) => sequence.run(1))
    .then(
      () => 'no error',
      (error: unknown) => error,
    )
  const named =
    (ended instanceof RangeError || ended instanceof TypeError) && ended.message.startsWith(`"${side}" expected`)
  return unless(named, `${side} ${JSON.stringify(range)} expected to be rejected by name, got ${ended}`)
}
