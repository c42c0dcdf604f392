// Plans that the model chooses for hardware, run on the software GPU, which has another plan by default: every case of the suite
// and random laws. Each case runs under one profile, or under all if it has no points. `npm run deep` runs all under all.

import { runConformance, suite } from '@manybody/conformance'
import { afterAll, describe, expect, test } from 'vitest'
import { profiles, webgpuPlannedFor } from '../support/gpu-profiles.ts'
import { faultsOf } from '../support/random-laws.ts'
import { randomProblem, seeds } from '../support/random-problem.ts'
import { deep, inShare, literal } from '../support/share.ts'

const names = suite().map(({ name }) => name)
const familyOf = (name: string) => name.slice(0, name.indexOf(':'))
const withoutPoints = /\b0 points|\bno (targets|sources)/

for (const [index, profile] of profiles.entries()) {
  const share = names.filter((name) => withoutPoints.test(name) || inShare(name, index, profiles.length))
  describe(`planned for ${profile.name}`, () => {
    const backend = webgpuPlannedFor(profile)
    test.each([...new Set(share.map(familyOf))])('%s', async (family) => {
      const chosen = share.filter((name) => familyOf(name) === family)
      const { results, reasons } = await runConformance(backend, {
        only: new RegExp(`^(${chosen.map(literal).join('|')})$`),
        required: true,
      })
      const faults = results.filter(({ outcome }) => outcome !== 'passed')
      expect([...reasons, ...faults.map(({ name, faults }) => `${name}: ${faults.join('; ')}`)]).toEqual([])
      expect(results).toHaveLength(chosen.length)
    })

    const device = backend.open()
    afterAll(async () => (await device).dispose())
    const mine = seeds(deep ? 1000 : 40).filter((seed) => deep || seed % profiles.length === index)
    test.each(mine)('random law, seed %i', async (seed) => {
      expect((await faultsOf(await device, randomProblem(seed))) ?? []).toEqual([])
    })
  })
}
