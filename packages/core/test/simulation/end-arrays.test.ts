// The arrays of ends: changes of numbers leave lists alone that need none of the host.

import { expect, it } from 'vitest'
import { type Interaction, pairPotential, reference } from '../../src/index.ts'
import { checkedForces, type Force, partsOf } from '../../src/simulation/forces/force.ts'
import { ownerOf, type SimulationNumbers } from '../../src/simulation/numbers/numbers.ts'
import { EndArrays } from '../../src/simulation/stepping/end-arrays.ts'

const spring = pairPotential('k*r2', { parameters: { k: 1 }, inertia: 'mass' })()
const apart = pairPotential('k*r2*dot(f_i, f_j)', { parameters: { k: 1 }, inertia: 'mass' })()

it.each([
  ['leave bonds of numbers alone', spring, false],
  ['reach bonds of vectors', apart, true],
])('changes %s', async (_, law: Interaction, sorted: boolean) => {
  const parts = partsOf(checkedForces({ forces: [{ law, bonds: [[0, 1]] } as Force] }), 'second-order')
  let reads = 0
  const watched = parts.bonds.map((part) => {
    const bonds = {
      ...part.bonds,
      get bonds() {
        reads++
        return part.bonds.bonds
      },
    }
    return { ...part, bonds }
  })
  const device = await reference().open({ precision: 'f64' })
  const ends = new EndArrays(device, { ...parts, bonds: watched }, 2)
  const numbers = (k: number) =>
    ({ parameters: { [ownerOf('Bonds', 0)]: { k } }, tables: {} }) as unknown as SimulationNumbers
  const arrays = { position: new Float64Array(6), velocity: new Float64Array(6), f: new Float64Array(4) }
  await ends.allocate(3, { numbers: numbers(1), arrays })
  reads = 0
  await ends.renumber(numbers(1), { numbers: numbers(2), arrays })
  expect(reads > 0).toBe(sorted)
  ends.dispose()
  device.dispose()
})
