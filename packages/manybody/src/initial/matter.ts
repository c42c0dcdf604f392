/**
 * Matter at a temperature: lattices, and the velocities of Maxwell's distribution.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { describe, finite, oneOf, onlyNamed, positive, whole } from '@manybody/core/backend'
import { arrayFor, centre, filled, requireList } from './points.ts'
import { randomFrom } from './random.ts'

const bases = {
  cubic: [[0, 0, 0]],
  bcc: [
    [0, 0, 0],
    [0.5, 0.5, 0.5],
  ],
  fcc: [
    [0, 0, 0],
    [0.5, 0.5, 0],
    [0.5, 0, 0.5],
    [0, 0.5, 0.5],
  ],
} as const

/**
 * A lattice that fills a periodic box: `position` `[count, 3]`, and the `lengths` of the box.
 *
 * @param options `cells` along each axis, and `spacing`, the edge of a cell; a `cubic` cell has one point, `bcc` 2, `fcc` 4
 */
export function lattice(options: {
  readonly kind: keyof typeof bases
  readonly cells: readonly [number, number, number]
  readonly spacing: number
}): { readonly position: Float64Array; readonly lengths: readonly [number, number, number] } {
  const { kind, cells, spacing } = onlyNamed(options, 'option of lattice', ['kind', 'cells', 'spacing'])
  const basis = bases[oneOf(kind, 'kind', ['cubic', 'bcc', 'fcc'])]
  requireList(cells, 'cells', 'integers', [3])
  for (const [axis, n] of cells.entries()) whole(n, `cells[${axis}]`, 1)
  positive(spacing, 'spacing')
  const [nx, ny, nz] = cells
  const position = arrayFor(nx * ny * nz * basis.length, 3, 'cells')
  let at = 0
  for (let x = 0; x < nx; x++)
    for (let y = 0; y < ny; y++)
      for (let z = 0; z < nz; z++)
        for (const [a, b, c] of basis) {
          position[at++] = spacing * (x + a)
          position[at++] = spacing * (y + b)
          position[at++] = spacing * (z + c)
        }
  return { position, lengths: [nx * spacing, ny * spacing, nz * spacing] }
}

/**
 * Points at a temperature: `velocity` `[count, dimension]`, each component normal with the variance `boltzmann temperature/m`, and `mass`
 * `[count]`. The centre of mass rests. They have no positions: add the positions of a lattice.
 *
 * @param options `mass` of each point; `boltzmann` is 1 and `dimension` is 3 by default
 * @source J. C. Maxwell, "Illustrations of the dynamical theory of gases", Philos. Mag. 19 (1860) 19
 */
export function maxwellVelocities(options: {
  readonly mass: ArrayLike<number>
  readonly temperature: number
  readonly seed: number
  readonly boltzmann?: number
  readonly dimension?: Dimension
}): { readonly velocity: Float64Array; readonly mass: Float64Array } {
  const known = ['mass', 'temperature', 'seed', 'boltzmann', 'dimension']
  const {
    mass,
    temperature,
    seed,
    boltzmann = 1,
    dimension = 3,
  } = onlyNamed(options, 'option of maxwellVelocities', known)
  finite(temperature, 'temperature', 0)
  positive(boltzmann, 'boltzmann')
  if (![1, 2, 3].includes(dimension)) throw new RangeError(`"dimension" expected 1, 2 or 3, got ${describe(dimension)}`)
  requireList(mass, 'mass', 'numbers')
  const masses = filled(arrayFor(mass.length, 1, 'mass'), (n) => positive(mass[n], 'mass'))
  const { normal } = randomFrom(seed, 'maxwellVelocities')
  const velocity = filled(arrayFor(masses.length, dimension, 'mass'), (n) => {
    const m = masses[Math.floor(n / dimension)] as number
    return Math.sqrt((boltzmann * temperature) / m) * normal()
  })
  centre(velocity, masses, dimension)
  return { velocity, mass: masses }
}
