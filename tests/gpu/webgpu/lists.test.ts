// Neighbour lists on the software GPU: every way to divide a target's sources gives the lists over all pairs, and lists that are too large
// are rejected. The suite compares them with known lists and with the reference.

import { webgpu } from '@manybody/backend-webgpu'
import { type Bindings, countWithin, neighborsWithin, type Plan, periodic, type Shape } from '@manybody/core'
import { bind, deviceNumbers } from '@manybody/core/judge'
import { afterAll, describe, expect, test } from 'vitest'
import { verify } from '../../../packages/core/src/engine/verify.ts'
import { numbers } from '../../support/numbers.ts'
import { listProblems } from '../../support/random/lists.ts'
import { seeds } from '../../support/random/problem.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

const plain: Plan = { variant: 'naive' }
/** Several invocations, workgroups and steps find the sources of one target, in any order. */
const plans: Readonly<Record<string, Plan>> = {
  blocks: { variant: 'blocks' },
  slices: { variant: 'sliced', sizes: { workgroup: 32, slices: 8, unroll: 1 } },
  parts: { variant: 'split', sizes: { workgroup: 16, targets: 2, unroll: 1, parts: 7 } },
}

async function listed(workload: ReturnType<typeof neighborsWithin>, shape: Shape, bindings: Bindings, plan?: Plan) {
  const program = await device.prepare(workload, shape, plan)
  const lists = await program.run(bindings)
  program.dispose()
  return lists
}

describe.each(Object.entries(plans))('by %s', (_, plan) => {
  test.each(listProblems(seeds(24)))('seed $seed', async ({ workload, particles }) => {
    const bound = bind(workload, particles)
    const { shape, bindings } = deviceNumbers(bound, 'f32')
    expect(await listed(workload, shape, bindings, plan)).toEqual(await listed(workload, shape, bindings, plain))
    const program = await device.prepare(workload, shape, plan)
    const run = async () => ({ ...(await program.run(bindings)), report: program.report })
    expect((await verify(run, { ...bound, workload }, 1000)).ok).toBe(true)
    program.dispose()
  })

  // Powers of two and their neighbours are the edge cases of the sorting network.
  test.each([1, 2, 3, 31, 32, 33, 64, 65, 129, 700, 1030])('lists of all of %i points are ascending', async (count) => {
    const workload = neighborsWithin(9, { self: 'include' })
    const { shape, bindings } = bind(workload, { position: numbers(3 * count, 1) })
    const { offsets, index } = await listed(workload, shape, bindings, plan)
    expect(offsets).toEqual(Uint32Array.from({ length: count + 1 }, (_, t) => t * count))
    expect(index).toHaveLength(count ** 2)
    // Printing the difference of long arrays takes minutes.
    expect(index?.findIndex((j, n) => j !== n % count)).toBe(-1)
  })
})

test('one program lists points that moved, and ranges of targets and sources', async () => {
  const workload = neighborsWithin(0.3, { boundary: periodic([1, 1, 1]) })
  const count = 500
  const program = await device.prepare(workload, { ...bind(workload, { position: numbers(3 * count, 1) }).shape })
  for (const seed of [1, 2, 1]) {
    const { shape, bindings } = bind(workload, { position: numbers(3 * count, seed) })
    const all = await listed(workload, shape, bindings, plain)
    expect(await program.run(bindings)).toEqual(all)
    const [from, to] = [100, 333]
    const { offsets = [], index = [] } = await program.run(bindings, { targets: [from, to], sources: [7, 480] })
    for (let t = from; t < to; t++) {
      const whole = [...(all.index ?? [])].slice(all.offsets?.[t], all.offsets?.[t + 1])
      expect([...index.slice(offsets[t - from], offsets[t - from + 1])]).toEqual(whole.filter((j) => j >= 7 && j < 480))
    }
  }
  program.dispose()
})

test('arrays of the caller get the lists', async () => {
  const workload = neighborsWithin(0.3)
  const { shape, bindings } = bind(workload, { position: numbers(600, 1) })
  const program = await device.prepare(workload, shape)
  const { offsets, index = new Int32Array(0) } = await program.run(bindings)
  const into = { offsets: new Uint32Array(201), index: new Int32Array(index.length + 5).fill(-7) }
  const again = await program.run(bindings, { into })
  expect(again.offsets).toBe(into.offsets)
  expect(again).toEqual({ offsets, index })
  expect([...into.index.subarray(index.length)]).toEqual([-7, -7, -7, -7, -7])
  program.dispose()
})

test('lists that exceed one array are refused with their size, and sequences refuse lists', async () => {
  const { resultBytes } = device.info.limits
  const many = Math.ceil(Math.sqrt(resultBytes / 4)) + 1
  const workload = neighborsWithin(1, { self: 'include' })
  const { shape, bindings } = bind(workload, { position: new Float32Array(3 * many) })
  const program = await device.prepare(workload, shape, { variant: 'blocks' })
  await expect(program.run(bindings)).rejects.toThrow(
    `${many ** 2} entries need ${4 * many ** 2} bytes, device limit is ${resultBytes}`,
  )
  await expect(device.sequence([{ program, bindings, outputs: {} }])).rejects.toThrow('the length of lists depends')
  program.dispose()
})

test('a list is as long as its count', async () => {
  const position = numbers(3000, 1)
  const [lists, counts] = [neighborsWithin(0.2), countWithin(0.2)].map((w) => bind(w, { position }))
  const program = await device.prepare(countWithin(0.2), counts?.shape as Shape)
  const { count } = await program.run(counts?.bindings as Bindings)
  const { offsets } = await listed(neighborsWithin(0.2), lists?.shape as Shape, lists?.bindings as Bindings)
  expect(offsets?.subarray(1).map((end, t) => end - (offsets[t] as number))).toEqual(count)
  program.dispose()
})
