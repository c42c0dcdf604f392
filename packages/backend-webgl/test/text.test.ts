// The shaders of a workload, whole, as files that show them. tests/gpu/glsl-compiles.test.ts compiles the files.

import {
  accelerations,
  cellIndex,
  countWithin,
  forces,
  gradient,
  gravity,
  lennardJones,
  map,
  matrix,
  nearest,
  pairTerm,
  periodic,
  reduce,
  type Shape,
  sum,
  type Workload,
} from '@manybody/core'
import { expect, test } from 'vitest'
import { designOf } from '../src/designs/designs.ts'
import { elementDesign } from '../src/designs/element-design.ts'
import { dialectFor, dialects } from '../src/glsl/dialect.ts'
import { type PassSource, shaderText } from '../src/glsl/pass-source.ts'
import { glslText } from '../src/text.ts'

const points: Shape = { dimension: 3, targets: 300, sources: 300, sameSet: true, vectors: ['position', 'velocity'] }
const cells: Shape = { dimension: 2, targets: 12, sources: 0, sameSet: true, vectors: [] }

const softened = accelerations(gravity({ softening: 0.1 }))
const inABox = forces(lennardJones(), { boundary: periodic([4, 4, 4]), cutoff: 1.5, exclusions: [[0, 1]] })
const pairs = (name: string) => [`packing/${name}`, name]

/** The names of the files: one for each shader, in the order in which they run. */
const printed: readonly (readonly [title: string, version: 1 | 2, workload: Workload, ...names: readonly string[]])[] =
  [
    ['gravity is printed as an expert would write it', 2, softened, ...pairs('gravity')],
    ['gravity in WebGL1 has loops of constant length', 1, softened, ...pairs('gravity-webgl1')],
    ['Lennard-Jones is printed for a box with a cutoff and exclusions', 2, inABox, ...pairs('lennard-jones-box')],
    ['the nearest neighbours are kept sorted', 2, nearest(2), ...pairs('nearest')],
    ['a count adds 1 for each pair', 2, countWithin(1), ...pairs('count')],
    ['argmax keeps the place of the largest term', 2, reduce('argmax', pairTerm('r2')()), ...pairs('argmax')],
    ['log-sum-exp is relative to the largest term', 2, reduce('logsumexp', pairTerm('-r2')()), ...pairs('logsumexp')],
    ['a matrix has four terms in a texel', 2, matrix(pairTerm('r2')()), ...pairs('matrix')],
    ['a map of vectors is one pass', 2, map({ position: 'position + dt*velocity' }, { dt: 0.1 }), 'map'],
    ['a cell index is computed in integers', 2, cellIndex({ cells: [4, 5, 6], spacing: 0.5 }), 'cell-index'],
    ['the neighbours of a stencil wrap around', 2, gradient({ cells: [3, 4], spacing: 0.5 }), 'gradient'],
  ]
const shapeOf = (workload: Workload) => (workload.loop === 'grid' ? cells : points)

test.for(printed)('%s', async ([_, version, workload, ...names]) => {
  const dialect = dialects[version]
  const { passes } = designOf(workload, shapeOf(workload), dialect)
  expect(passes.length).toBe(names.length)
  for (const [n, pass] of passes.entries())
    await expect(shaderText(dialect, pass)).toMatchFileSnapshot(`./shaders/${names[n]}.glsl`)
})

test('graphics cards fetch sources by their numbers', async () => {
  const [, loop] = designOf(softened, points, dialectFor(2, 'hardware')).passes
  await expect(shaderText(dialectFor(2, 'hardware'), loop as PassSource)).toMatchFileSnapshot(
    './shaders/gravity-hardware.glsl',
  )
  expect(dialectFor(2, 'software')).toBe(dialects[2])
  expect(dialectFor(1, 'hardware')).toBe(dialects[1])
})

test.for<[title: string, workload: Workload, kind: 'hardware' | 'software', points: number, name: string]>([
  ['graphics cards fold two of many targets at a time', softened, 'hardware', 20000, 'gravity-two-targets'],
  ['a state of two texels is drawn as two tiles', nearest(3), 'software', 300, 'nearest-two-pages'],
])('%s', async ([_, workload, kind, count, name]) => {
  const dialect = dialectFor(2, kind)
  const [, loop] = designOf(workload, { ...points, targets: count, sources: count }, dialect).passes
  await expect(shaderText(dialect, loop as PassSource)).toMatchFileSnapshot(`./shaders/${name}.glsl`)
})

test('the text of a workload has all of its shaders', () => {
  const [pack = '', loop = ''] = designOf(softened, points, dialects[1]).passes.map((pass) =>
    shaderText(dialects[1], pass),
  )
  expect(glslText(softened, points, { version: 1 })).toBe(`${pack}\n${loop}`)
  expect(glslText(softened, points)).toContain('texelFetch')
  expect(glslText(softened, points, { kind: 'software' })).not.toContain('texelFetch')
})

test('wrong options are refused', () => {
  expect(() => glslText(softened, points, { version: 3 as 2 })).toThrow('"version" expected 1 or 2, got 3')
  expect(() => glslText(softened, points, { versoin: 1 } as never)).toThrow(
    '"versoin" is not an option; expected version',
  )
  expect(() => glslText(softened, points, { kind: 'gpu' } as never)).toThrow(
    '"kind" expected "hardware" or "software", got "gpu"',
  )
  const unknown = { ...sum(pairTerm('r2')()), reduction: 'median' as 'sum' }
  expect(() => glslText(unknown, points)).toThrow()
})

test('a map reads its vectors component by component', () => {
  const { arrays, parts } = elementDesign(map({ position: 'position + dt*velocity' }, { dt: 0.1 }), points).loop
  expect(arrays).toEqual(['position', 'velocity'])
  expect(parts).toEqual({ position: [0, 3] })
})
