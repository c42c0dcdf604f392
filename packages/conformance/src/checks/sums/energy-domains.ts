/**
 * Forces of an energy that ends at some distance. Beyond it the energy has no value, and neither may the force have one. A formula for the
 * derivative alone would go on.
 *
 * @module
 */
import { energy, forces, type PairWorkload, pairPotential, potentials, virial } from '@manybody/core'
import { bind, deviceNumbers } from '@manybody/core/judge'
import type { Check } from '../check.ts'

const reach = 1.5

/** Laws that end at some distance, or at some product of attributes. */
const laws = [
  {
    limit: 'a distance',
    law: pairPotential('-log(1 - (r/reach)^2)', { name: 'ends at a distance', parameters: { reach } })(),
    within: { distance: 1.25, side: 1 },
    beyond: { distance: 1.75, side: 1 },
  },
  {
    limit: 'an attribute',
    law: pairPotential('log(side_i*side_j*r)', { name: 'ends at an attribute' })(),
    within: { distance: 1.25, side: 1 },
    beyond: { distance: 1.25, side: -1 },
  },
]

const workloads = { force: forces, potential: potentials, energy, virial }

export const energyDomainChecks: readonly Check[] = laws.flatMap(({ limit, law, within, beyond }) =>
  Object.entries(workloads).map(([quantity, make]) => ({
    name: `terms: the ${quantity} of an energy that ends at ${limit}`,
    async faults(device) {
      const workload: PairWorkload = make(law)
      const resultsOf = async ({ distance, side }: typeof within) => {
        const position = [0, 0, 0, distance, 0, 0]
        const bound = deviceNumbers(bind(workload, { position, side: [1, side] }), device.info.precision)
        const prepared = await device.prepare(workload, bound.shape)
        try {
          return Object.values(await prepared.run(bound.bindings)).flatMap((array) => Array.from(array))
        } finally {
          prepared.dispose()
        }
      }
      const [inside, outside] = [await resultsOf(within), await resultsOf(beyond)]
      const width = inside.length / 2
      return [
        ...(inside.every(Number.isFinite) ? [] : [`within the domain expected numbers, got ${inside.join(', ')}`]),
        ...[0, 1].flatMap((point) => {
          const own = outside.slice(point * width, (point + 1) * width)
          return own.some((x) => !Number.isFinite(x))
            ? []
            : [`beyond the domain expected no number for point ${point}, got ${own.join(', ')}`]
        }),
      ]
    },
  })),
)
