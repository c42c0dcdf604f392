// What calls in a row leave behind. Garbage that outlives collections of young objects makes each of these ten times as slow.

import { getHeapSpaceStatistics } from 'node:v8'
import { countWithin } from '@manybody/core'
import { bind } from '@manybody/core/backend'
import { expect, it } from 'vitest'
import { cpuWasm } from '../src/index.ts'
import { spread } from './support/points.ts'

const calls = 4000

/** Bytes of objects that have outlived collections of young ones. */
const oldBytes = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.startsWith('new_'))
    .reduce((sum, space) => sum + space.space_used_size, 0)

it.each(['simd', 'blocks'])('leaves no old objects behind after calls in a row: %s', async (variant) => {
  const device = await cpuWasm().open({ threads: 1 })
  const law = countWithin(0.2)
  const { shape, bindings } = bind(law, { position: spread(3 * 64, 1) })
  const program = await device.prepare(law, shape, { variant })
  const grown: number[] = []
  // The engine compiles meanwhile, and may collect old objects at any time.
  for (let round = 0; round < 5; round++) {
    const before = oldBytes()
    for (let call = 0; call < calls; call++) await program.run(bindings)
    grown.push((oldBytes() - before) / calls)
  }
  expect(grown.toSorted((a, b) => a - b)[2]).toBeLessThan(500)
  device.dispose()
})
