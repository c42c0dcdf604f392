// Neighbour lists on the processor: their sorting, their largest size, and that they work on every thread and with every way to
// share memory. The suite and `blocks/nearest.test.ts` compare their contents.

import { countWithin, neighborsWithin, type Plan } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { describe, expect, it } from 'vitest'
import { designsOf } from '../src/compile/designs/compiler.ts'
import { defineSortList, sortBytes } from '../src/compile/folds/sort-list.ts'
import { ModuleBuilder } from '../src/compile/wasm/module-builder.ts'
import { cpuWasm } from '../src/index.ts'
import { Host } from '../src/run/host/host.ts'
import { Memory } from '../src/run/host/memory.ts'
import { nearCode } from '../src/run/programs/near-code.ts'
import { WasmProgram } from '../src/run/programs/program.ts'
import { Executor } from '../src/run/threads/executor.ts'
import { spread } from './support/points.ts'

describe('sorting', async () => {
  const module = new ModuleBuilder({ shared: false })
  defineSortList(module)
  const memory = new WebAssembly.Memory({ initial: 2 })
  const { instance } = await WebAssembly.instantiate(module.encode(), { env: { memory } })
  const sortList = instance.exports.sortList as (from: number, to: number, count: number, scratch: number) => void

  it.each([0, 1, 2, 3, 4, 5, 15, 16, 17, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 300, 1000, 4097])(
    '%i numbers in any order',
    (count) => {
      const [from, to] = [sortBytes + 64, sortBytes + 64 + 32768]
      const random = spread(count, 3)
      const shuffled = Int32Array.from({ length: count }, (_, n) => 3 * n).sort(
        (a, b) => (random[a / 3] as number) - (random[b / 3] as number),
      )
      const ascending = shuffled.slice().sort()
      for (const numbers of [shuffled, ascending, ascending.slice().reverse()]) {
        new Int32Array(memory.buffer).fill(-1)
        new Int32Array(memory.buffer, from, count).set(numbers)
        sortList(from, to, count, 0)
        expect(new Int32Array(memory.buffer, to, count)).toEqual(ascending)
        // Nothing is written behind the end, where the next list is.
        expect(new Int32Array(memory.buffer, to + 4 * count, 1)[0]).toBe(-1)
      }
    },
  )
})

const count = 1200
const position = spread(3 * count, 5)
const workload = neighborsWithin(0.25)
const plans: readonly (Plan | undefined)[] = [undefined, { variant: 'blocks' }, { variant: 'simd' }]

it.each(['f32', 'f64'] as const)(
  'threads and plans give the same lists, as long as counts, in %s',
  async (precision) => {
    const given = precision === 'f64' ? Float64Array.from(position) : position
    const { shape, bindings } = bind(workload, { position: given })
    const found: unknown[] = []
    for (const threads of [1, 3]) {
      const device = await cpuWasm({ threadsFrom: 0 }).open({ threads, precision })
      const counting = countWithin(0.25)
      const counts = await (await device.prepare(counting, shape)).run(bind(counting, { position: given }).bindings)
      for (const plan of plans) {
        const program = await device.prepare(workload, shape, plan)
        const { offsets, index } = await program.run(bindings)
        expect(offsets?.subarray(1).map((end, t) => end - (offsets[t] as number))).toEqual(counts.count)
        found.push([offsets, index])
        if (plan?.variant === 'blocks') expect(program.report.evaluated).toBeLessThan(0.5 * count ** 2)
        program.dispose()
      }
      device.dispose()
    }
    for (const lists of found) expect(lists).toEqual(found[0])
  },
)

it('lists that exceed the limit of the device are refused with their size', async () => {
  const device = await cpuWasm().open({ threads: 2 })
  const many = 17_000
  const { shape, bindings } = bind(workload, { position: new Float32Array(3 * many) })
  const program = await device.prepare(workload, shape)
  const entries = many * (many - 1)
  await expect(program.run(bindings)).rejects.toThrow(
    `${entries} entries need ${4 * entries} bytes, device limit is ${2 ** 30}`,
  )
  device.dispose()
})

// Buffers may change between the pass that counts and the one that lists.
it.each(['simd', 'blocks'])('nothing is written behind the end of a list, by %s', async (variant) => {
  const info = { ...(await cpuWasm().open({ threads: 1 })).info }
  const host = new Host(info, new Memory(), new Executor())
  const { shape, bindings } = bind(workload, { position })
  const all = await (await cpuWasm().open({ threads: 1 })).prepare(workload, shape)
  const { offsets = [], index = [] } = await all.run(bindings)
  const designs = await designsOf(workload, shape, { precision: 'f32', shared: false }, true)
  const program = new WasmProgram(host, workload, shape, designs, { plan: { variant }, near: nearCode })
  const one = { ...bindings, offsets: Uint32Array.from({ length: count + 1 }, (_, t) => t) }
  const found = (await program.run(one)).index ?? []
  expect(found).toHaveLength(count)
  for (let t = 0; t < count; t++) {
    const list = index.slice(offsets[t], offsets[t + 1])
    if (list.length > 0) expect(list).toContain(found[t])
    if (list.length > 0 && variant === 'simd') expect(found[t]).toBe(list[0])
  }
})
