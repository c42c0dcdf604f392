// The workloads with shaders as files in test/shaders.

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
  type PairWorkload,
  pairTerm,
  periodic,
  reduce,
  type Shape,
  type Workload,
} from '@manybody/core'

export const points: Shape = {
  dimension: 3,
  targets: 300,
  sources: 300,
  sameSet: true,
  vectors: ['position', 'velocity'],
}
const cells: Shape = { dimension: 2, targets: 12, sources: 0, sameSet: true, vectors: [] }
export const shapeOf = (workload: Workload): Shape => (workload.loop === 'grid' ? cells : points)

export const softened: PairWorkload = accelerations(gravity({ softening: 0.1 }))
const inABox = forces(lennardJones(), { boundary: periodic([4, 4, 4]), cutoff: 1.5, exclusions: [[0, 1]] })
const pairs = (name: string) => [`packing/${name}`, name]

/** The names of the files: one for each shader, in running order. */
export const printed: readonly (readonly [
  title: string,
  version: 1 | 2,
  workload: Workload,
  ...names: readonly string[],
])[] = [
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
