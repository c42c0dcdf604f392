/**
 * A device that sums through grids must find the fields that the modes of the windows give, with the same bits each time. In a sequence,
 * a grid must take the positions that a stage before it has written, and give its fields to a stage behind it.
 *
 * @module
 */
import { type Device, type DeviceBuffer, type FloatArray, map, type Precision } from '@manybody/core'
import type { GridSum } from '@manybody/core/backend'
import { bind } from '@manybody/core/judge'
import { atPrecision } from '../../judging/at-precision.ts'
import { type Check, differing, tolerance, unless } from '../check.ts'
import { type GridProblem, gridProblems } from './grid-problems.ts'
import { gridTruth } from './grid-truth.ts'

export const gridChecks: readonly Check[] = [
  ...gridProblems.map((problem) => ({
    name: `grids: fields of ${problem.name}`,
    faults: async (device: Device) => [
      ...(await fieldFaults(device, problem, 'f32')),
      ...(await fieldFaults(device, problem, 'f64')),
    ],
  })),
  {
    name: 'grids: an aborted sum is rejected with the reason',
    async faults(device) {
      const [{ sum, points }] = gridProblems as readonly [GridProblem]
      const reason = new Error('enough')
      const ended = await device
        .gridSum?.({ ...sum, precision: 'f32' }, points, { signal: AbortSignal.abort(reason) })
        .then(
          () => 'a result',
          (error: unknown) => error,
        )
      return unless(!device.gridSum || ended === reason, `an aborted sum expected its reason, got ${ended}`)
    },
  },
  ...gridProblems
    .filter(({ points }) => points.targets === undefined)
    .map((problem) => ({
      name: `grids: a stage between programs, ${problem.name}`,
      faults: (device: Device) => stageFaults(device, problem),
    })),
]

async function fieldFaults(
  device: Device,
  { sum, points }: GridProblem,
  precision: Precision,
): Promise<readonly string[]> {
  if (!device.gridSum) return []
  const found = await device.gridSum({ ...sum, precision }, points)
  const where = `a grid in ${precision}`
  if (precision === 'f64' && device.gridPrecision === 'f32')
    return unless(found === undefined, `${where} expected undefined from a device whose grids have no float64`)
  if (!found) return [`${where} expected fields, got undefined`]
  const again = await device.gridSum({ ...sum, precision }, points)
  return [
    ...differing(where, found, gridTruth({ ...sum, precision }, points), tolerance[precision]),
    ...differing(`${where}, again`, again ?? [], found, 0),
  ]
}

/** Points move before the grid takes them, and their fields are doubled behind it. */
const moved = map({ position: 'position + velocity' })
const doubled = map({ twice: '2*field' })

interface Owned {
  dispose(): void
}

/** Keeps an object of the device, to release it in the end. */
type Own = <T extends Owned>(one: T) => T

async function stageFaults(device: Device, problem: GridProblem): Promise<readonly string[]> {
  const made: Owned[] = []
  const own: Own = (one) => {
    made.push(one)
    return one
  }
  try {
    return await ownedFaults(device, problem, own)
  } finally {
    for (const one of made.reverse()) one.dispose()
  }
}

async function ownedFaults(device: Device, { sum, points }: GridProblem, own: Own): Promise<readonly string[]> {
  const count = points.sources.length / sum.dimension
  const precision: Precision = device.info.precision === 'f64' && device.gridPrecision !== 'f32' ? 'f64' : 'f32'
  const grid: GridSum = { ...sum, precision }
  if (!device.gridSequence || !(await device.takesGridStage?.(grid, count))) return []
  const velocity = points.sources.map((_, n) => 0.25 * ((n % sum.dimension) - 1) * (sum.used ? 0 : 1))
  const given = atPrecision({ position: points.sources, velocity }, device.info.precision) as Record<string, FloatArray>
  const bufferOf = async (length: number, numbers?: FloatArray) => {
    const buffer = own(await device.buffer(length))
    if (numbers) await buffer.write(numbers)
    return buffer
  }
  const start = {
    position: await bufferOf(sum.dimension * count, given.position),
    velocity: await bufferOf(sum.dimension * count, given.velocity),
  }
  const position = await bufferOf(sum.dimension * count)
  const numbers = points.weights.map((one) => (device.info.precision === 'f64' ? one : Float32Array.from(one)))
  const weights = await Promise.all(numbers.map((one) => bufferOf(count, one)))
  const fields = await Promise.all(sum.fields.map(() => bufferOf(count)))
  const twice = await Promise.all(sum.fields.map(() => bufferOf(count)))
  const [moving, doubling] = [
    bind(moved, { ...given, dimension: sum.dimension }),
    bind(doubled, { field: new Float32Array(count) }),
  ]
  const mover = own(await device.prepare(moved, moving.shape))
  const doubler = own(await device.prepare(doubled, doubling.shape))
  const stageOf = (of: typeof doubling, arrays: Readonly<Record<string, DeviceBuffer>>) => {
    const set = { count, arrays }
    return { ...of.bindings, targets: set, sources: set }
  }
  const stages: Parameters<typeof device.gridSequence>[0] = [
    { program: mover, bindings: stageOf(moving, start), outputs: { position } },
    { grid, position, weights, fields },
    ...fields.map((field, n) => ({
      ...{ program: doubler, bindings: stageOf(doubling, { field }) },
      outputs: { twice: twice[n] as DeviceBuffer },
    })),
  ]
  const sequence = own(await device.gridSequence(stages))
  const faults: string[] = []
  for (const round of ['first', 'second']) {
    await sequence.run(1)
    const truth = gridTruth(grid, {
      ...{ targets: undefined, weights: numbers.map((one) => Float64Array.from(one)) },
      sources: Float64Array.from(await position.read()),
    })
    for (const [f, buffer] of twice.entries()) {
      const expected = Array.from({ length: count }, (_, n) => 2 * (truth[n * fields.length + f] as number))
      faults.push(...differing(`field ${f} of the ${round} round`, await buffer.read(), expected, tolerance[precision]))
    }
  }
  return faults
}
