// Neighbour lists in random problems, on the processor. Lists by blocks and by the chosen loop equal the lists over all pairs and the
// reference's. They do so in every precision, on one thread and more, from any order of the points.

import type { Bindings, Device, neighborsWithin, Shape } from '@manybody/core'
import { bind, deviceNumbers } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { verify } from '../../../packages/core/src/engine/verify.ts'
import { Dice } from '../../support/random/dice.ts'
import { listProblems } from '../../support/random/lists.ts'
import { seeds } from '../../support/random/problem.ts'
import { processorDevices } from '../../support/random/processor.ts'

const devices = await processorDevices()

test.each(listProblems(seeds(150)))('seed $seed', async ({ seed, workload, particles }) => {
  for (const device of devices) {
    const { precision } = device.info
    const bound = bind(workload, particles)
    const { shape, bindings } = deviceNumbers(bound, precision)
    const listed = await runBy(device, workload, shape, bindings, 'simd')
    for (const variant of ['blocks', undefined])
      expect(await runBy(device, workload, shape, bindings, variant, seed)).toEqual(listed)
    const program = await device.prepare(workload, shape)
    const run = async () => ({ ...(await program.run(bindings)), report: program.report })
    const { ok } = await verify(run, { ...bound, workload }, 1000)
    expect(ok).toBe(true)
    program.dispose()
  }
})

/** Lists from a program. If there is a seed, the program has already sorted other points. */
async function runBy(
  device: Device,
  workload: ReturnType<typeof neighborsWithin>,
  shape: Shape,
  bindings: Bindings,
  variant: string | undefined,
  seed?: number,
) {
  const program = await device.prepare(workload, shape, variant ? { variant } : undefined)
  if (seed !== undefined) await program.run(elsewhere(bindings, seed))
  const lists = await program.run(bindings)
  program.dispose()
  return lists
}

/** The same run with points in other places, and so in another order. */
function elsewhere({ targets, sources, ...others }: Bindings, seed: number): Bindings {
  const dice = new Dice(seed)
  const moved = (set: Bindings['targets']) => ({
    ...set,
    arrays: Object.fromEntries(
      Object.entries(set.arrays).map(([name, array]) => [
        name,
        array instanceof Float32Array || array instanceof Float64Array ? array.map(() => dice.uniform(-1, 1)) : array,
      ]),
    ),
  })
  const here = moved(targets)
  return { ...others, targets: here, sources: sources === targets ? here : moved(sources) }
}
