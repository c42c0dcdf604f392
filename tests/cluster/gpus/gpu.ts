// One GPU in a process: loops over points that stay on it, whole calls, and a worker of a cluster. The parent asks, and this process
// answers.

import { webgpu } from '@manybody/backend-webgpu'
import { cluster, joinCluster } from '@manybody/cluster'
import type { ArrayResults, Device, DeviceBuffer, Plan, PointSet, Sequence, Stage } from '@manybody/core'
import { resultArrays } from '@manybody/core/backend'
import { bind } from '@manybody/core/judge'
import { createEngine, type Engine, type Particles } from 'manybody'
import { loadDawn } from '../../../bench/gpu/dawn.ts'
import { halvesOf, law, type Points, pointsOf, workload } from './problem.ts'

/** Meets each pair twice, with the loop that is fastest for many targets. */
const plain: Plan = {
  variant: 'split',
  sizes: { workgroup: 128, targets: 16, unroll: 2, parts: 32, blocks: 1 },
}

/**
 * The loops to time. `own` and `plain` compute all targets, with the device's own plan or the plain one; `half` computes half of the
 * targets. `half once` also does, but meets the other half of the points in a stage of its own.
 */
const loops = ['own', 'plain', 'half', 'half once'] as const
export type Loop = (typeof loops)[number]

export type Question =
  | { readonly ask: 'load'; readonly count: number; readonly half: number }
  | { readonly ask: 'loop'; readonly loop: Loop; readonly times: number }
  | { readonly ask: 'results'; readonly loop: Loop }
  | { readonly ask: 'call' }
  | { readonly ask: 'steps'; readonly times: number }
  | { readonly ask: 'join'; readonly servers: string }
  | { readonly ask: 'coordinate'; readonly servers: string; readonly times: number }

/** Times with this GPU at home, in milliseconds: a call with other points, and a step. Also the place where the call ran. */
export interface Coordinated {
  readonly call: number
  readonly step: number
  readonly variant: string
}

interface Kept {
  readonly sequence: Sequence
  /** The outputs of the stages; their sum is the acceleration. */
  readonly outputs: readonly DeviceBuffer[]
}

let engine: Engine | undefined
let given: Points | undefined
const kept = new Map<Loop, Kept>()

/** @param dawn the file of Dawn, if its package is not installed */
export async function serve(dawn: string | undefined): Promise<void> {
  await loadDawn(dawn)
  engine = await createEngine({ backends: [webgpu()] })
  const { device } = engine
  process.on('message', (question: Question) => {
    answer(device, question).then(
      (value) => process.send?.({ value }),
      (error) => process.send?.({ error: String(error) }),
    )
  })
  process.send?.({ value: device.info.name })
}

async function answer(device: Device, question: Question): Promise<unknown> {
  if (question.ask === 'load') return load(device, question.count, question.half)
  if (question.ask === 'join') return (await joinCluster({ servers: question.servers, backends: [webgpu()] })).id
  if (question.ask === 'call') {
    const began = performance.now()
    await engine?.run(workload, given as Points)
    return performance.now() - began
  }
  if (question.ask === 'steps') return steps(engine as Engine, question.times)
  if (question.ask === 'coordinate') return coordinated(question.servers, question.times)
  const { sequence, outputs } = kept.get(question.loop) as Kept
  if (question.ask === 'loop') return sequence.run(question.times)
  await sequence.run(1)
  const [first = new Float32Array(), ...others] = await Promise.all(outputs.map((output) => output.read()))
  return first.map((x, n) => others.reduce((sum, other) => sum + (other[n] as number), x))
}

/** Milliseconds per step of a simulation with its points on the device. */
async function steps(engine: Engine, times: number): Promise<number> {
  const simulation = await engine.simulate({ law, particles: given as Points, dt: 1e-6 })
  await simulation.step(times)
  const began = performance.now()
  await simulation.step(times)
  const milliseconds = (performance.now() - began) / times
  simulation.dispose()
  return milliseconds
}

/** A cluster that may choose between its workers and this GPU. */
async function coordinated(servers: string, times: number): Promise<Coordinated> {
  const engine = await createEngine({ backends: [cluster({ servers, home: webgpu() })] })
  try {
    const points = given as Points
    let [call, variant] = [Number.POSITIVE_INFINITY, '']
    for (let n = 0; n < 40; n++) {
      points.position[0] = Math.random()
      const began = performance.now()
      const { report } = await engine.run(workload, points)
      call = Math.min(call, performance.now() - began)
      variant = report.variant
    }
    return { call, step: await steps(engine, times), variant }
  } finally {
    engine.dispose()
  }
}

/** Puts points on the device and prepares all loops. Returns the names of the variants. */
async function load(device: Device, count: number, half: number): Promise<void> {
  given = pointsOf(count)
  const halves = halvesOf(given)
  const [mine, other] = [halves[half], halves[1 - half]] as [Points, Points]
  const whole = await upload(device, given)
  const [mySet, otherSet] = [await upload(device, mine), await upload(device, other)]
  const stages: Readonly<Record<Loop, readonly Stage[]>> = {
    own: [await stage(device, given, whole, whole)],
    plain: [await stage(device, given, whole, whole, plain)],
    half: [await stage(device, { targets: mine, sources: given }, mySet, whole)],
    'half once': [
      await stage(device, mine, mySet, mySet),
      await stage(device, { targets: mine, sources: other }, mySet, otherSet),
    ],
  }
  for (const loop of loops) {
    kept.get(loop)?.sequence.dispose()
    const sequence = await device.sequence(stages[loop])
    kept.set(loop, { sequence, outputs: stages[loop].map(({ outputs }) => outputs.acceleration as DeviceBuffer) })
  }
}

async function upload(device: Device, { position, mass }: Points): Promise<PointSet> {
  const arrays: Record<string, DeviceBuffer> = {}
  for (const [name, numbers] of Object.entries({ position, mass })) {
    const buffer = await device.buffer(numbers.length)
    await buffer.write(numbers)
    arrays[name] = buffer
  }
  return { count: mass.length, arrays }
}

async function stage(
  device: Device,
  particles: Particles,
  targets: PointSet,
  sources: PointSet,
  plan?: Plan,
): Promise<Stage> {
  const { shape, bindings } = bind(workload, particles)
  const program = await device.prepare(workload, shape, plan)
  const outputs: Record<keyof ArrayResults, DeviceBuffer> = {}
  for (const [name, { length }] of resultArrays(workload, shape, 'f32')) outputs[name] = await device.buffer(length)
  return { program, bindings: { ...bindings, targets, sources }, outputs }
}
