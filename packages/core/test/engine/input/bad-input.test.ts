// Everything that can be wrong with data, told before anything runs.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/engine/engine.ts'
import { pairForce } from '../../../src/problem/interactions/define.ts'
import { gravity } from '../../../src/problem/interactions/gravity.ts'
import { periodic } from '../../../src/problem/workloads/define-domain.ts'
import { gradient } from '../../../src/problem/workloads/grid.ts'
import { accelerations, forces, nearest } from '../../../src/problem/workloads/pair.ts'
import { cellIndex, map } from '../../../src/problem/workloads/particle.ts'
import type { Particles } from '../../../src/problem/workloads/particles.ts'
import type { Workload } from '../../../src/problem/workloads/workload.ts'
import { fakeBackend, proofRuns } from '../../support/fake-backends.ts'

const position = new Float32Array(6)
const mass = new Float32Array(2).fill(1)
const law = forces(gravity())
const push = accelerations(pairForce('1', { name: 'push', inertia: 'mass' })())
const cells = gradient({ cells: [2, 3], spacing: 1 })
const index = cellIndex({ cells: [2, 3], spacing: 1 })
const nan = (array: Float32Array, at: number, value = NaN) => array.with(at, value)

type Case = readonly [name: string, workload: Workload, particles: unknown, error: Error]
const cases: readonly Case[] = [
  [
    'no particles',
    law,
    null,
    new TypeError('"particles" expected { position, ... }, { targets, sources } or { field }, got null'),
  ],
  [
    'no positions',
    law,
    { mass },
    new TypeError('"position" expected Float32Array, Float64Array or a list of numbers, got nothing; given: mass'),
  ],
  [
    'an array for a set of points',
    law,
    position,
    new TypeError(
      '"particles" expected { position, ... }, { targets, sources } or { field }, got Float32Array; give { position: particles }, and dimension: 2 for points in 2-D',
    ),
  ],
  [
    'an array for one of two sets',
    law,
    { targets: position, sources: { position } },
    new TypeError(
      '"targets" expected { position, ... }, got Float32Array; give { position: targets }, and dimension: 2 for points in 2-D',
    ),
  ],
  [
    'a list of points',
    law,
    { position: [[0, 0, 0]], mass },
    new TypeError('"position" expected numbers, got Array at index 0; give position.flat()'),
  ],
  [
    'a list with text',
    law,
    { position, mass: [1, '2'] },
    new TypeError('"mass" expected numbers, got "2" at index 1; give Float32Array.from(mass, Number)'),
  ],
  [
    'a list with words',
    law,
    { position, mass: ['two', 'three'] },
    new TypeError('"mass" expected numbers, got "two" at index 0'),
  ],
  [
    'a list with a hole',
    law,
    { position, mass: new Array(2) },
    new TypeError('"mass" expected numbers, got undefined at index 0'),
  ],
  [
    'a list of points for a set of points',
    law,
    [0, 0, 0],
    new TypeError(
      '"particles" expected { position, ... }, { targets, sources } or { field }, got Array; give { position: particles }, and dimension: 2 for points in 2-D',
    ),
  ],
  [
    'whole numbers',
    law,
    { position: new Int32Array(6), mass },
    new TypeError(
      '"position" expected Float32Array, Float64Array or a list of numbers, got Int32Array; give Float32Array.from(position)',
    ),
  ],
  [
    'a length that is not a multiple of 3',
    law,
    { position: new Float32Array(7), mass },
    new RangeError('"position" expected 3 numbers per point, got length 7'),
  ],
  [
    'points in 2-D without saying so',
    law,
    { position: new Float32Array(4), mass },
    new RangeError('"position" expected 3 numbers per point, got length 4; for points in 2-D give dimension: 2'),
  ],
  [
    'three points in 2-D, whose numbers could be two in 3-D',
    law,
    { position, mass: new Float32Array(3) },
    new RangeError('"mass" expected length 2, one number per point; in 2-D, give dimension: 2, got 3'),
  ],
  [
    'an attribute that is null',
    law,
    { position, mass: null },
    new TypeError('"mass" expected Float32Array, Float64Array or a list of numbers, got null'),
  ],
  [
    'an odd length in 2-D',
    law,
    { position: new Float32Array(5), dimension: 2, mass },
    new RangeError('"position" expected 2 numbers per point, got length 5'),
  ],
  [
    'four dimensions',
    law,
    { position: new Float32Array(8), dimension: 4, mass },
    new RangeError(
      `"dimension" expected 1, 2 or 3, got 4; for more, terms read a vector: nearest(8, pairTerm('sqdist(x_i, x_j)')()) of { x, count }`,
    ),
  ],
  [
    'a NaN',
    law,
    { position: nan(position, 4), mass },
    new RangeError('"position" expected finite numbers, got NaN at index 4'),
  ],
  [
    'an infinity',
    law,
    { position: nan(position, 0, -Infinity), mass },
    new RangeError('"position" expected finite numbers, got -Infinity at index 0'),
  ],
  [
    'a NaN in an attribute',
    law,
    { position, mass: nan(mass, 1) },
    new RangeError('"mass" expected finite numbers, got NaN at index 1'),
  ],
  [
    'a NaN in an attribute that is not read',
    law,
    { position, mass, charge: nan(mass, 1) },
    new RangeError('"charge" expected finite numbers, got NaN at index 1'),
  ],
  [
    'too few attributes',
    law,
    { position, mass: new Float32Array(1) },
    new RangeError('"mass" expected length 2, one number per point, got 1'),
  ],
  [
    'a vector for a number',
    law,
    { position, mass: new Float32Array(6) },
    new RangeError('"mass" expected length 2, one number per point, got 6; a law reads components, such as mass_x_i'),
  ],
  [
    'a missing attribute',
    law,
    { position, charge: mass },
    new TypeError(
      '"mass" expected Float32Array, Float64Array or a list of numbers, as gravity reads it, got nothing; given: position, charge',
    ),
  ],
  [
    'a missing attribute of sources',
    law,
    { targets: { position, mass }, sources: { position } },
    new TypeError(
      '"sources.mass" expected Float32Array, Float64Array or a list of numbers, as gravity reads it, got nothing; given: position',
    ),
  ],
  [
    'a NaN among sources',
    law,
    { targets: { position, mass }, sources: { position: nan(position, 1), mass } },
    new RangeError('"sources.position" expected finite numbers, got NaN at index 1'),
  ],
  [
    'targets without sources',
    law,
    { targets: { position, mass } },
    new TypeError('"sources" expected { position, ... }, got nothing'),
  ],
  [
    'sets of unlike dimension',
    law,
    { targets: { position, mass }, sources: { position: new Float32Array(4), dimension: 2, mass } },
    new RangeError('"sources.dimension" expected 3, that of the targets, got 2'),
  ],
  [
    'a field for points',
    law,
    { field: mass },
    new TypeError('"position" expected Float32Array, Float64Array or a list of numbers, got nothing; given: field'),
  ],
  [
    'a box of another dimension',
    forces(gravity(), { boundary: periodic([1, 1]) }),
    { position, mass },
    new RangeError('"boundary" expected 3 lengths, as points are in 3-D, got 2'),
  ],
  [
    'more neighbours than there are',
    nearest(2),
    { position },
    new RangeError('"k" expected at most 1, the number of sources of a target, got 2'),
  ],
  [
    'more neighbours than sources',
    nearest(3),
    { targets: { position }, sources: { position } },
    new RangeError('"k" expected at most 2, the number of sources of a target, got 3'),
  ],
  [
    'an acceleration without inertia',
    push,
    { position },
    new TypeError(
      '"mass" expected Float32Array, Float64Array or a list of numbers, as push reads it, got nothing; given: position',
    ),
  ],
  [
    'an acceleration of zero mass',
    push,
    { position, mass: Float32Array.of(1, 0) },
    new RangeError(
      '"mass" expected numbers other than 0, as acceleration is force divided by it, got 0 at index 1; use forces(law)',
    ),
  ],
  [
    'a field of another size',
    cells,
    { field: new Float32Array(5) },
    new RangeError('"field" expected length 6, 2 x 3 cells, got 5'),
  ],
  [
    'a field with NaN',
    cells,
    { field: nan(position, 2) },
    new RangeError('"field" expected finite numbers, got NaN at index 2'),
  ],
  [
    'no field',
    cells,
    {},
    new TypeError('"field" expected Float32Array, Float64Array or a list of numbers, got undefined'),
  ],
  ['points for a field', cells, { position }, new TypeError('"position" is not an array of a grid; expected field')],
  [
    'a dimension beside two sets, where it would be ignored',
    law,
    { targets: { position, mass }, sources: { position, mass }, dimension: 2 },
    new TypeError('"dimension" is not a set of points; expected targets, sources'),
  ],
  [
    'cells of another dimension',
    index,
    { position },
    new RangeError('"cells" expected 3 numbers, as points are in 3-D, got 2'),
  ],
  [
    'a map of an unknown name',
    map({ a: 'mass + speed' }),
    { position, mass },
    new TypeError(
      '"speed" expected an attribute or a parameter; given attributes: position, mass, position_x, position_y, position_z; parameters: none',
    ),
  ],
  [
    'a map of an inherited name',
    map({ a: 'mass + toString' }),
    { mass },
    new TypeError('"toString" expected an attribute or a parameter; given attributes: mass; parameters: none'),
  ],
  [
    'a map of nothing',
    map({ a: '1' }),
    {},
    new TypeError('"particles" expected at least one attribute to map over, got none'),
  ],
  [
    'a map of unlike lengths',
    map({ a: 'mass' }),
    { position, mass: new Float32Array(5) },
    new RangeError('"mass" expected length 2 (one number per point) or 6 (one per component), got 5'),
  ],
  [
    'a map of components of what has too few numbers for one more point',
    map({ a: 'velocity_x' }),
    { velocity: new Float32Array(7) },
    new RangeError('"velocity" expected length 2 (one number per point) or 6 (one per component), got 7'),
  ],
  [
    'a map of a third component in 2-D',
    map({ a: 'velocity_x + velocity_z' }),
    { velocity: new Float32Array(4), dimension: 2 },
    new TypeError(
      '"velocity_z" expected an attribute or a parameter; given attributes: velocity, velocity_x, velocity_y; parameters: none',
    ),
  ],
  [
    'a map in four dimensions',
    map({ a: 'position' }),
    { position: new Float32Array(8), dimension: 4 },
    new RangeError(
      `"dimension" expected 1, 2 or 3, got 4; for more, terms read a vector: nearest(8, pairTerm('sqdist(x_i, x_j)')()) of { x, count }`,
    ),
  ],
  [
    'a map of positions that do not fit',
    map({ a: 'position' }),
    { position: new Float32Array(4) },
    new RangeError('"position" expected 3 numbers per point, got length 4; for points in 2-D give dimension: 2'),
  ],
]

describe('run, prepare and verify refuse', () => {
  it.each(cases)('%s', async (_, workload, particles, error) => {
    const backend = fakeBackend('fake')
    await using engine = await createEngine({ backends: [backend] })
    const before = { ...backend.log, prepared: [...backend.log.prepared] }
    for (const attempt of [
      engine.run(workload, particles as Particles),
      engine.verify(workload, particles as Particles),
    ]) {
      const thrown = await attempt.catch((e: unknown) => e)
      expect(String(thrown)).toBe(String(error))
      expect(thrown).toBeInstanceOf(error.constructor)
    }
    expect(backend.log).toEqual(before)
    expect(backend.log.runs).toBe(proofRuns)
  })
})
