// Designs that were written as JSON and read again give the same results as the designs of typed laws.

import { webgl } from '@manybody/backend-webgl'
import type { ArrayResults } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, describe, expect, test } from 'vitest'
import { designsOf } from '../../../packages/backend-webgl/src/compile/designs/designs.ts'
import type { GuardedDesigns } from '../../../packages/backend-webgl/src/design/design.ts'
import { openRuntime } from '../../../packages/backend-webgl/src/run/programs/runtime.ts'
import { printed } from '../../../packages/backend-webgl/test/printed.ts'
import { angleContexts } from '../../support/angle.ts'

const count = 300
const seeded = (length: number, seed: number) =>
  Float32Array.from({ length }, (_, n) => Math.abs((Math.sin(seed + 12.9898 * n) * 43758.5453) % 1))
const points = {
  position: seeded(3 * count, 1).map((x) => 4 * x),
  velocity: seeded(3 * count, 2),
  mass: seeded(count, 3),
  epsilon: seeded(count, 5),
  sigma: seeded(count, 6).map((x) => 0.1 * x),
}
const field = { field: seeded(12, 4) }

/** A device's speed decides how a sum is sliced, and each slice rounds once. */
function expectAlike(some: ArrayResults, others: ArrayResults): void {
  for (const [name, array] of Object.entries(some)) {
    const other = others[name] ?? []
    const most = 1e-6 * Array.from(other, Math.abs).reduce((a, b) => Math.max(a, b), 0)
    expect(array.length, name).toBe(other.length)
    expect(array.findIndex((x, n) => !(Math.abs(x - (other[n] as number)) <= most))).toBe(-1)
  }
}

const read = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const copied = ({ rule, of }: GuardedDesigns): GuardedDesigns => ({ rule: read(rule), of: (guard) => read(of(guard)) })

describe.each([1, 2] as const)('WebGL%d', async (version) => {
  const context = await angleContexts(version)
  const [runtime, device] = [await openRuntime(context), await webgl({ context }).open()]
  afterAll(() => {
    runtime.dispose()
    device.dispose()
  })

  test.for(printed)('%s', async ([, , workload]) => {
    const { shape, bindings } = bind(workload, workload.loop === 'grid' ? field : points)
    const typed = await device.prepare(workload, shape)
    const program = await runtime.prepare(shape, () => copied(designsOf(workload, shape, runtime.facts)))
    const results = await program.run(bindings)
    expect(Object.keys(results).sort()).toEqual([...workload.results].sort())
    expectAlike(results, await typed.run(bindings))
    if (workload.loop === 'pair') {
      const initial = await program.run(bindings, { sources: [0, 100] })
      const rest = { sources: [100, count], initial } as const
      expectAlike(await program.run(bindings, rest), await typed.run(bindings, rest))
    }
    typed.dispose()
    program.dispose()
  })
})
