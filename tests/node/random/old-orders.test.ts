// Points that move for many rounds of a sequence by blocks, on the processor. However old their order is, the counts equal those over all
// pairs. A deep run moves them by 100,000 steps.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { countWithin, map, periodic } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { numbers } from '../../support/numbers.ts'
import { deep } from '../../support/share.ts'

const count = 400
const steps = deep ? 100_000 : 1000

test.each(['f32', 'f64'] as const)('counts after many steps are those of all pairs: %s', async (precision) => {
  const device = await cpuWasm().open({ precision, threads: 1 })
  const start = { position: numbers(3 * count, 5), velocity: numbers(3 * count, 6) }
  const near = countWithin(0.2, { boundary: periodic([1, 1, 1]) })
  const move = map({ position: 'position + dt*velocity' }, { dt: 0.01 })
  const { bindings, shape } = bind(near, { position: start.position })
  const moving = { ...shape, vectors: ['position', 'velocity'] }
  const [counting, drifting] = [
    await device.prepare(near, moving, { variant: 'blocks' }),
    await device.prepare(move, moving),
  ]
  const [position, velocity, found] = await Promise.all([3 * count, 3 * count, count].map((n) => device.buffer(n)))
  if (!position || !velocity || !found) throw new Error('no buffers')
  await position.write(start.position)
  await velocity.write(start.velocity)
  const set = { count, arrays: { position, velocity } }
  const given = { ...bindings, targets: set, sources: set }
  const sequence = await device.sequence([
    { program: counting, bindings: given, outputs: { count: found } },
    {
      program: drifting,
      bindings: { targets: set, sources: set, parameters: move.parameters },
      outputs: { position },
    },
  ])
  await sequence.run(steps)
  const before = await position.read()
  await sequence.run(1)
  const plain = await device.prepare(near, shape, { variant: 'simd' })
  const { count: expected } = await plain.run(bind(near, { position: before }).bindings)
  expect(Math.max(...before)).toBeGreaterThan(0.002 * steps)
  expect([...(await found.read())]).toEqual([...(expected ?? [])])
  expect(Math.max(...(expected ?? []))).toBeGreaterThan(5)
  device.dispose()
})
