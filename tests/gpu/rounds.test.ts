// Consecutive maps of a sequence run in one dispatch, without changing a bit of the results.

import { accelerations, type DeviceBuffer, gravity, map, type Stage, type Workload } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, expect, test, vi } from 'vitest'
import { WebGpuDevice } from '../../packages/backend-webgpu/src/device.ts'
import { findAdapter } from '../../packages/backend-webgpu/src/run/host/adapter.ts'
import { openHost } from '../../packages/backend-webgpu/src/run/host/host.ts'
import { numbers } from '../support/numbers.ts'

const host = await openHost(await findAdapter({}))
const device = new WebGpuDevice(host)
afterAll(() => device.dispose())

const count = 70
const points = {
  position: numbers(3 * count, 1),
  mass: numbers(count, 2).map(Math.abs),
  velocity: numbers(3 * count, 3),
  acceleration: numbers(3 * count, 4),
}
const kick = map({ velocity: 'velocity + h*acceleration' }, { h: 0.003 })
const drift = map({ position: 'position + h*velocity' }, { h: 0.006 })
const swap = map({ velocity: 'acceleration', acceleration: 'velocity' })
const force = accelerations(gravity({ softening: 0.1 }))

type Arrays = Readonly<Record<string, DeviceBuffer>>

/** The arrays after some rounds of stages, in one sequence or in a sequence per stage. */
async function after(rounds: number, workloads: readonly Workload[], together: boolean) {
  const arrays: Record<string, DeviceBuffer> = {}
  for (const [name, numbers] of Object.entries(points)) {
    const buffer = await device.buffer(numbers.length)
    await buffer.write(numbers)
    arrays[name] = buffer
  }
  const stages = await Promise.all(workloads.map((workload) => stageOf(workload, arrays)))
  const sequences = await Promise.all(
    (together ? [stages] : stages.map((stage) => [stage])).map((some) => device.sequence(some)),
  )
  for (let n = 0; n < (together ? 1 : rounds); n++)
    for (const sequence of sequences) await sequence.run(together ? rounds : 1)
  const results = Object.fromEntries(
    await Promise.all(Object.entries(arrays).map(async ([name, array]) => [name, await array.read()] as const)),
  )
  for (const one of [...sequences, ...stages.map(({ program }) => program), ...Object.values(arrays)]) one.dispose()
  return results
}

async function stageOf(workload: Workload, arrays: Arrays): Promise<Stage> {
  const { mass: _, ...vectors } = points
  const shape = { ...bind(force, points).shape, vectors: Object.keys(vectors) }
  const set = { count, arrays }
  const { parameters } = bind(workload, points).bindings
  const outputs = Object.fromEntries(workload.results.map((name) => [name, arrays[name] as DeviceBuffer]))
  return {
    program: await device.prepare(workload, shape),
    bindings: { targets: set, sources: set, parameters },
    outputs,
  }
}

test.each<[string, readonly Workload[]]>([
  ['a leapfrog', [kick, drift, force, kick]],
  ['maps before forces', [kick, drift, force]],
  ['maps after forces', [force, kick, swap, drift]],
  ['forces between maps', [drift, force, kick, swap, force, kick]],
  ['maps alone', [kick, swap, drift]],
])('%s in one sequence is the same, to the bit, as stage by stage', async (_, workloads) => {
  expect(await after(4, workloads, true)).toEqual(await after(4, workloads, false))
})

test('the last kick, the next kick and the drift are one dispatch, of the shader that begins and ends a run', async () => {
  const labels: string[] = []
  const create = host.device.createCommandEncoder.bind(host.device)
  const watched = vi.spyOn(host.device, 'createCommandEncoder').mockImplementation((descriptor) => {
    const encoder = create(descriptor)
    const begin = encoder.beginComputePass.bind(encoder)
    vi.spyOn(encoder, 'beginComputePass').mockImplementation((timestamps) => {
      const pass = begin(timestamps)
      const set = pass.setPipeline.bind(pass)
      vi.spyOn(pass, 'setPipeline').mockImplementation((pipeline) => {
        labels.push(pipeline.label)
        set(pipeline)
      })
      return pass
    })
    return encoder
  })
  await after(3, [kick, drift, force, kick], true)
  watched.mockRestore()
  const maps = labels.map((label) => /^maps in order: (.*?) \(/.exec(label)?.[1]).filter(Boolean)
  // Compilers for graphics cards round differently in another shader, so a run in two halves would end elsewhere.
  expect(maps).toEqual(Array(4).fill('velocity; velocity; position'))
})
