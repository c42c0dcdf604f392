// The rows of the support matrix: typical workloads that a backend may or may not support. Data only; support.ts asks the backends.

import { functions, numericNames } from '../../packages/core/src/expression-kit.ts'
import { reduceOperations } from '../../packages/core/src/problem/reductions/table.ts'
import {
  accelerations,
  biotSavart,
  cellIndex,
  countWithin,
  type DomainOptions,
  energy,
  forces,
  gradient,
  gravity,
  lennardJones,
  map,
  matrix,
  nearest,
  neighborsWithin,
  pairTerm,
  periodic,
  potentials,
  reduce,
  type Shape,
  stencil,
  sum,
  virial,
  type Workload,
} from '../../packages/manybody/src/index.ts'

export interface SupportCase {
  readonly name: string
  readonly workload: Workload
  readonly shape: Shape
}

const law = gravity()
const distance = pairTerm('r')()
const ofVectors = pairTerm('exp(-sqdist(x_i, y_j))')()
const grid = { cells: [32, 32, 32], spacing: 1 }
const calls = numericNames.map((name) => `${name}(${['r', 'dx'].slice(0, functions[name].operands.length).join()})`)
const everyFunction = pairTerm(`${calls.join(' + ')} + select(r < 1 && dx > 0, r, r2)`, { name: 'every function' })()

const points = 4096
const pairs: Shape = { dimension: 3, targets: points, sources: points, sameSet: true, vectors: ['position'] }
const cells: Shape = { dimension: 3, targets: 32 ** 3, sources: 0, sameSet: true, vectors: [] }
const elements: Shape = { ...pairs, sources: 0, vectors: ['position', 'velocity'] }
const box = periodic([10, 10, 10])

const pair = (name: string, workload: Workload, shape: Partial<Shape> = {}): SupportCase => ({
  name,
  workload,
  shape: { ...pairs, ...shape },
})
const within = (name: string, domain: DomainOptions): SupportCase => pair(name, forces(lennardJones(), domain))

/** The quantities, and the domains of each. */
export const supportCases: Readonly<Record<string, readonly SupportCase[]>> = {
  'Pairs of points': [
    pair('`accelerations`', accelerations(law)),
    pair('`forces`', forces(law)),
    pair('`potentials`', potentials(law)),
    pair('`energy`', energy(law)),
    pair('`virial`', virial(law)),
    pair('`sum` of a scalar term', sum(distance)),
    pair('`sum` of a vector term', sum(biotSavart())),
    pair('`sum` with every function', sum(everyFunction)),
    pair('`sum` of a term of vectors', sum(ofVectors), { vectors: [], lengths: { x: 100, y: 100 } }),
    ...reduceOperations.map((operation) => pair(`\`reduce\` ${operation}`, reduce(operation as 'min', distance))),
    pair('`nearest(8)`', nearest(8)),
    pair('`nearest(64)`', nearest(64)),
    pair('`nearest(8)` of a term', nearest(8, distance)),
    pair('`countWithin`', countWithin(1)),
    pair('`countWithin` of a term', countWithin(1, distance)),
    pair('`neighborsWithin`', neighborsWithin(1)),
    pair('`matrix`', matrix(distance)),
  ],
  'Domains of pairs': [
    pair('1-D', accelerations(law), { dimension: 1 }),
    pair('2-D', accelerations(law), { dimension: 2 }),
    pair('targets and sources differ', accelerations(law), { targets: 1000, sameSet: false }),
    within('`periodic`', { boundary: box }),
    within('`cutoff`', { cutoff: 2.5 }),
    within("`cutoff: 'radius_i + radius_j'`", { cutoff: 'radius_i + radius_j' }),
    within('`cutoff` with `switchDistance`', { cutoff: 2.5, switchDistance: 2 }),
    within('`cutoff` with `shift`', { cutoff: 2.5, shift: true }),
    within('`periodic` and `cutoff`', { boundary: box, cutoff: 2.5 }),
    within('`exclusions`', { exclusions: [[0, 1]] }),
    pair('given `ranges`', accelerations(law), { ranged: true }),
    pair("`self: 'include'`", potentials(gravity({ softening: 0.1 }), { self: 'include' })),
    pair('no points', accelerations(law), { targets: 0, sources: 0 }),
    pair('a million points', accelerations(law), { targets: 2 ** 20, sources: 2 ** 20 }),
  ],
  'Points and grids': [
    { name: '`map`', workload: map({ position: 'position + dt*velocity' }, { dt: 0.01 }), shape: elements },
    { name: '`cellIndex`', workload: cellIndex(grid), shape: { ...elements, vectors: ['position'] } },
    { name: '`stencil`', workload: stencil({ value: 'xm + xp + ym + yp + zm + zp - 6*c' }, grid), shape: cells },
    { name: '`gradient`', workload: gradient(grid), shape: cells },
    {
      name: '`gradient`, 2-D, clamped',
      workload: gradient({ cells: [32, 32], spacing: 1, edges: 'clamp' }),
      shape: { ...cells, dimension: 2, targets: 32 ** 2 },
    },
  ],
}
