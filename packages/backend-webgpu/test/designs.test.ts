// A design describes a run completely before there is a device: shaders, arrays, dispatches.

import {
  accelerations,
  cellIndex,
  coulomb,
  forces,
  gradient,
  gravity,
  lennardJones,
  map,
  matrix,
  nearest,
  type Plan,
  pairTerm,
  periodic,
  reduce,
  type Shape,
  type Workload,
} from '@manybody/core'
import { sampleBindings } from '@manybody/core/samples'
import { expect, test } from 'vitest'
import { designsOf } from '../src/compile/designs/designs.ts'
import { treesOf } from '../src/compile/designs/tree-designs.ts'
import { type AnyVersion, type ProgramDesign, shadersOf } from '../src/design/design.ts'
import type { LoopHost } from '../src/design/facts.ts'
import { leastLimits } from '../src/design/least-limits.ts'
import { uniformBytes } from '../src/design/shader.ts'
import { versionFor } from '../src/design/versions.ts'
import { interactionsOf, resultsOf } from '../src/run/drivers/drivers.ts'
import { expectPlain } from './support/printed.ts'
import { workIn } from './support/work.ts'

const gpu: LoopHost = {
  info: { name: 'a GPU', kind: 'hardware' },
  limits: leastLimits,
  subgroups: { least: 32, most: 32 },
}
const shape: Shape = { dimension: 3, targets: 700, sources: 700, sameSet: true, vectors: ['position', 'velocity'] }

/** All steps of a run, with a budget that takes several steps where a loop has any. */
function stepsOf(workload: Workload, design: ProgramDesign, points = shape) {
  const bindings =
    workload.loop === 'pair'
      ? sampleBindings(workload, points)
      : { targets: { count: 700, arrays: {} }, sources: { count: 700, arrays: {} }, parameters: { dt: 0.1 } }
  const results = resultsOf(design, bindings, {}, false)
  const { scratch, steps } = workIn(design, { bindings, options: {}, budget: () => 60000 }, results)
  return { bindings, results, scratch, steps: [...steps] }
}

const law = accelerations(gravity())
const cases: readonly [string, Workload, Plan?][] = [
  ['gravity as the model has it', law],
  ...['naive', 'grid-stride', 'vectorised', 'tiled', 'split', 'sliced', 'subgroup-shuffle', 'each-pair-once'].map(
    (variant): [string, Workload, Plan] => [`gravity, ${variant}`, law, { variant }],
  ),
  ['softened gravity', accelerations(gravity({ softening: 0.1 }))],
  ['a cutoff and exclusions', forces(lennardJones(), { cutoff: 2, exclusions: [[0, 1]] })],
  ['a cutoff, by blocks', forces(lennardJones(), { cutoff: 2, exclusions: [[0, 1]] }), { variant: 'blocks' }],
  [
    'a cutoff in a box, by blocks',
    forces(lennardJones(), { cutoff: 2, boundary: periodic([9, 9, 9]) }),
    { variant: 'blocks' },
  ],
  [
    'a cutoff in a box, by cells',
    forces(lennardJones(), { cutoff: 2, boundary: periodic([9, 9, 9]) }),
    { variant: 'cells' },
  ],
  ['argmin', reduce('argmin', pairTerm('r2')()), { variant: 'split' }],
  ['neighbours', nearest(8), { variant: 'group-minima' }],
  ['a matrix', matrix(lennardJones())],
  ['a map', map({ position: 'position + dt*velocity' }, { dt: 0.1 }), { variant: 'staged' }],
  ['cell indices', cellIndex({ cells: [3, 4, 5], spacing: 1 })],
  ['a stencil', gradient({ cells: [10, 10, 7], spacing: 1 }), { variant: 'marching' }],
]

test.each(cases)(
  '%s: every shader has its arrays and numbers, and the steps do all of the work',
  (_, workload, plan) => {
    const design = designsOf(workload, shape, gpu).of(plan)
    const { bindings, results, scratch, steps } = stepsOf(workload, design)
    const arrays = [...design.inputs, ...results.map(({ name }) => `result.${name}`), ...Object.keys(scratch)]
    for (const { dispatches } of steps)
      for (const { shader, values, size } of dispatches) {
        expect(shadersOf(design, versionFor<AnyVersion>(design, bindings.parameters))).toContain(shader)
        expect(arrays).toEqual(expect.arrayContaining(shader.resources.map(({ key }) => key)))
        expect(uniformBytes(shader.fields, values).byteLength).toBeGreaterThan(0)
        expect(Math.min(...size)).toBeGreaterThan(0)
      }
    const visited = steps.reduce((sum, { interactions }) => sum + interactions, 0)
    expect(Math.abs(visited - interactionsOf(design, bindings, {}))).toBeLessThan(steps.length)
    expect(steps.map(({ done }) => done === 1)).toEqual(steps.map((_, n) => n === steps.length - 1))
    const read = steps.flatMap(({ reads }) => reads).reduce((sum, { length }) => sum + length, 0)
    expect(read).toBe(results.reduce((sum, { length }) => sum + length, 0))
  },
)

test.each(cases)('%s: the design is plain data, whose copies have the same steps', (_, workload, plan) => {
  const design = designsOf(workload, shape, gpu).of(plan)
  expectPlain(design)
  const copy = JSON.parse(JSON.stringify(design)) as ProgramDesign
  expect(stepsOf(workload, copy).steps).toEqual(stepsOf(workload, design).steps)
})

test.each(['simplex', 4] as const)('a tree with proxies of %s is plain data', (proxies) => {
  const workload = forces(coulomb())
  const design = treesOf(workload, shape, gpu)?.at({ proxies, opening: 0.5 })
  if (!design) throw new Error('expected a tree')
  expectPlain(design)
  const copy = JSON.parse(JSON.stringify(design)) as ProgramDesign
  expect(stepsOf(workload, copy).steps).toEqual(stepsOf(workload, design).steps)
})

test.each([
  ['hardware', 'norm(x_i)', 'row += 4u'],
  ['software', 'norm(x_i)', 'row += 1u'],
  ['hardware', 'sqdist(x_i, x_j)', 'fold0_3_3 += component_fold0(x_i0.w, x_j0.w)'],
  ['software', 'sqdist(x_i, x_j)', 'row += 1u'],
] as const)('a matrix with exclusions has on %s, for %s: %s', (kind, term, expected) => {
  const workload = matrix(pairTerm(term)(), { exclusions: [[0, 1]] })
  const points = { ...shape, vectors: [], lengths: { x: 5 } }
  const design = designsOf(workload, points, { ...gpu, info: { name: 'a GPU', kind } }).of()
  const [loop] = shadersOf(design, versionFor<AnyVersion>(design, {}))
  expect(loop?.code).toContain(expected)
})

test('a design has a version for each guard that runs may need, and no others', () => {
  const guards = (workload: Workload) => Object.keys(designsOf(workload, shape, gpu).of().versions).sort()
  expect(guards(law)).toEqual(['false', 'true'])
  expect(guards(nearest(3))).toEqual(['false'])
})

test('work beyond the budget is divided into steps, which continue from each other', () => {
  const { steps } = stepsOf(law, designsOf(law, shape, gpu).of({ variant: 'tiled' }))
  expect(steps).toHaveLength(3)
  expect(steps.map(({ dispatches }) => dispatches.at(-1)?.values.carry)).toEqual(steps.map((_, n) => (n > 0 ? 1 : 0)))
})

test('the parameters of a run choose between the shaders with and without the guard', () => {
  const design = designsOf(law, shape, gpu).of({ variant: 'tiled' })
  const shaders = (parameters?: Readonly<Record<string, number>>) =>
    shadersOf(design, versionFor<AnyVersion>(design, parameters))
  const guarded = shaders()
  expect(shaders({ G: 3, softening: 0 })[0]).toBe(guarded[0])
  const soft = shaders({ G: 1, softening: 0.1 })
  expect(soft[0]?.code).not.toBe(guarded[0]?.code)
  expect(shaders({ G: 2, softening: 0.2 })[0]).toBe(soft[0])
})

test('runs over ranges use the plain loop in place of each pair once', () => {
  const design = designsOf(law, shape, gpu).of({ variant: 'each-pair-once' }).inParts
  if (!design) throw new Error('expected a design for parts of a run')
  const bindings = sampleBindings(law, shape)
  const options = { sources: [0, 100] as const }
  const { steps } = workIn(
    design,
    { bindings, options, budget: () => 1e9 },
    resultsOf(design, bindings, options, false),
  )
  const [step] = [...steps]
  expect(step?.dispatches.map(({ shader }) => shader.label)).toEqual([expect.stringContaining('sliced')])
  expect(step?.interactions).toBe(70000)
})

test('a matrix is computed in blocks of rows, or at once if it stays in its buffer', () => {
  const workload = matrix(lennardJones())
  const design = designsOf(workload, shape, gpu).of()
  const bindings = sampleBindings(workload, shape)
  const stepsIf = (whole: boolean) => {
    const run = { bindings, options: {}, budget: () => 60000, whole }
    return [...workIn(design, run, resultsOf(design, bindings, {}, whole)).steps]
  }
  expect(stepsIf(false).length).toBeGreaterThan(1)
  expect(stepsIf(true).map(({ reads }) => reads)).toEqual([[{ name: 'value', at: 0, length: 700 * 700 }]])
})
