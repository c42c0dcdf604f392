// Plans that the model chooses for hardware, run on the software GPU, which has another plan by default: a quarter of the suite,
// of which variants by name run another quarter, and random laws. A case runs under one profile, or under all if it has no points. `npm run deep` runs all under all.

import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, expect, test } from 'vitest'
import { profiles, webgpuPlannedFor } from '../support/gpu/gpu-profiles.ts'
import { faultsOf } from '../support/random/laws.ts'
import { randomProblem, seeds } from '../support/random/problem.ts'
import { errorsAt, treeProblem } from '../support/random/trees.ts'
import { deep, sharing } from '../support/share.ts'

const withoutPoints = /\b0 points|\bno (targets|sources)/

for (const [index, profile] of profiles.entries()) {
  describe(`planned for ${profile.name}`, async () => {
    const backend = webgpuPlannedFor(profile)
    const runner = {
      describe,
      test: sharing(test, profiles.length + index, 4 * profiles.length, withoutPoints),
      afterAll,
    }
    await describeConformance(runner, backend, { required: true })

    const device = backend.open()
    afterAll(async () => (await device).dispose())
    const mine = seeds(deep ? 1000 : 40).filter((seed) => deep || seed % profiles.length === index)
    test.each(mine)('random law, seed %i', async (seed) => {
      expect((await faultsOf(await device, randomProblem(seed))) ?? []).toEqual([])
    })

    test('a tree with grids', async () => {
      const { errors } = (await errorsAt(await device, treeProblem(index), { proxies: 3, opening: 0.7 })) ?? {}
      expect(errors?.at(-1)).toBeLessThan(2e-3)
    })
  })
}
