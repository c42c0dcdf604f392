/**
 * A sequence on the device must give the same results as its stages do when they run one by one.
 *
 * @module
 */
import {
  countWithin,
  type Device,
  type DeviceBuffer,
  type FloatArray,
  type Sequence,
  type Stage,
  UnsupportedWorkloadError,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { type Check, differing, tolerance, unless } from './check.ts'
import { count, drift, points, preparedPull, pull } from './problem.ts'

const steps = 3

export const sequenceChecks: readonly Check[] = [
  {
    name: 'sequences: force and drift, as stepped by hand',
    async faults(device) {
      const expected = await stepByHand(device)
      const onDevice = await stepOnDevice(device)
      const allowed = steps * tolerance[device.info.precision]
      return (['position', 'velocity'] as const).flatMap((name) =>
        differing(`${name} after ${steps} steps`, onDevice[name], expected[name], allowed),
      )
    },
  },
  {
    name: 'sequences: counts are kept as numbers of the device',
    async faults(device) {
      const within = countWithin(1)
      const { shape, bindings } = bind(within, points(device))
      const program = await device.prepare(within, shape)
      const counts = await device.buffer(count)
      const { count: expected } = await program.run(bindings)
      const ended = await device
        .sequence([{ program, bindings, outputs: { count: counts } }])
        .catch((error: unknown) => error)
      // A device says so if its sequences cannot keep counts.
      const refused = ended instanceof UnsupportedWorkloadError
      const faults = refused ? [] : await keptCounts(ended as Sequence, counts, expected ?? [])
      for (const owned of [counts, program]) owned.dispose()
      return faults
    },
  },
  {
    name: 'sequences: an aborted signal rejects with its reason',
    async faults(device) {
      const reason = new Error('no longer wanted')
      const ended = await abortedSequence(device, reason)
      return unless(ended === reason, `an aborted sequence expected to reject with signal.reason, got ${ended}`)
    },
  },
]

async function keptCounts(
  sequence: Sequence,
  counts: DeviceBuffer,
  expected: ArrayLike<number>,
): Promise<readonly string[]> {
  await sequence.run(1)
  const kept = await counts.read()
  sequence.dispose()
  return differing('counts in a sequence', kept, expected, 0)
}

interface Moving {
  readonly position: FloatArray
  readonly velocity: FloatArray
}

/** Results return to the host after every step, and are uploaded again. */
async function stepByHand(device: Device): Promise<Moving> {
  const start = points(device)
  let state: Moving = { position: start.position, velocity: start.position.map((x) => -x / 8) }
  const { program: force } = await preparedPull(device)
  const moved = bind(drift, { ...start, ...state, acceleration: start.position })
  const move = await device.prepare(drift, moved.shape)
  for (let step = 0; step < steps; step++) {
    const { bindings } = bind(pull, { ...start, position: state.position })
    const { acceleration } = (await force.run(bindings)) as { acceleration: FloatArray }
    state = (await move.run(bind(drift, { ...state, acceleration }).bindings)) as unknown as Moving
  }
  force.dispose()
  move.dispose()
  return state
}

/** Everything stays in buffers. The drift writes the arrays that it reads. */
async function stepOnDevice(device: Device): Promise<Moving> {
  const start = points(device)
  const { shape, bindings, program: force } = await preparedPull(device)
  const [position, velocity, acceleration, mass] = [
    await device.buffer(3 * count),
    await device.buffer(3 * count),
    await device.buffer(3 * count),
    await device.buffer(count),
  ]
  await position.write(start.position)
  await velocity.write(start.position.map((x) => -x / 8))
  await mass.write(start.mass)
  const movedShape = { ...shape, sources: 0, vectors: ['position', 'velocity', 'acceleration'] }
  const move = await device.prepare(drift, movedShape)
  const set = (arrays: Readonly<Record<string, DeviceBuffer>>) => ({ count, arrays })
  const [pulled, moved] = [set({ position, mass }), set({ position, velocity, acceleration })]
  const stages: readonly Stage[] = [
    { program: force, bindings: { ...bindings, targets: pulled, sources: pulled }, outputs: { acceleration } },
    {
      program: move,
      bindings: { targets: moved, sources: moved, parameters: drift.parameters },
      outputs: { position, velocity },
    },
  ]
  const sequence = await device.sequence(stages)
  await sequence.run(steps)
  const arrays = { position: await position.read(), velocity: await velocity.read() }
  sequence.dispose()
  for (const owned of [position, velocity, acceleration, mass, force, move]) owned.dispose()
  return arrays
}

/** The error of a sequence of one stage that must not start. */
async function abortedSequence(device: Device, reason: Error): Promise<unknown> {
  const { bindings, program } = await preparedPull(device)
  const acceleration = await device.buffer(3 * count)
  const sequence = await device.sequence([{ program, bindings, outputs: { acceleration } }])
  const ended = await sequence.run(1, { signal: AbortSignal.abort(reason) }).then(
    () => 'no error',
    (error: unknown) => error,
  )
  for (const owned of [sequence, acceleration, program]) owned.dispose()
  return ended
}
