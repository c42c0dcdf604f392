// Placements stay for runs that come again with another number of points, and take little memory.

import { accelerations, gravity } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { expect, it, vi } from 'vitest'
import { designsOf } from '../src/compile/designs/compiler.ts'
import { cpuWasm } from '../src/index.ts'
import { Host } from '../src/run/host/host.ts'
import { Memory } from '../src/run/host/memory.ts'
import { type PlacedProgram, Placements } from '../src/run/placement/placements.ts'
import { WasmProgram } from '../src/run/programs/program.ts'
import { Executor } from '../src/run/threads/executor.ts'
import { points } from './support/points.ts'

const placed = (count: number) => {
  const dispose = vi.fn()
  const shape = { dimension: 3, targets: count, sources: count, sameSet: true, vectors: [] } as const
  return { shape, placement: { dispose }, program: {}, dispose } as unknown as PlacedProgram & {
    dispose: typeof dispose
  }
}

it('gives up the placement that was used longest ago', () => {
  const placements = new Placements()
  const [first, second, third] = [placed(1 << 14), placed((1 << 14) - 1), placed(2)]
  for (const one of [first, second]) placements.keep(one)
  expect(placements.of(first.shape)).toBe(first)
  placements.keep(third)
  expect(placements.of(second.shape)).toBeUndefined()
  expect(second.dispose).toHaveBeenCalledOnce()
  expect([first, third].map(({ shape }) => placements.of(shape))).toEqual([first, third])
  const large = placed(1 << 20)
  placements.keep(large)
  expect(placements.of(large.shape)).toBe(large)
  expect(placements.of(third.shape)).toBeUndefined()
  placements.dispose()
  for (const { dispose } of [first, third, large]) expect(dispose).toHaveBeenCalledOnce()
})

it('keeps at most 64', () => {
  const placements = new Placements()
  const many = Array.from({ length: 70 }, (_, n) => placements.keep(placed(n + 1)))
  expect(many.filter(({ shape }) => placements.of(shape))).toHaveLength(64)
})

it('a program with many numbers of points holds the memory of few', async () => {
  const device = await cpuWasm().open({ threads: 1 })
  const memory = new Memory()
  const host = new Host(device.info, memory, new Executor())
  const workload = accelerations(gravity({ softening: 0.05 }))
  const { shape } = bind(workload, points(4096))
  const designs = await designsOf(workload, shape, { precision: 'f32', shared: false }, true)
  const program = new WasmProgram(host, workload, shape, designs)
  const most: number[] = []
  for (let count = 3000; count < 3100; count++) {
    await program.run(bind(workload, points(count)).bindings)
    most.push(memory.used)
  }
  expect(Math.max(...most)).toBeLessThan(12 * (most[0] as number))
  program.dispose()
  expect(memory.used).toBe(0)
  device.dispose()
})
