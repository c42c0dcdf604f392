// A file of programs has the same designs as the compiler makes, for any number of points, on any device.

import {
  accelerations,
  cellIndex,
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
  potentials,
  reduce,
  type Shape,
  sum,
  type Workload,
} from '@manybody/core'
import { expect, test } from 'vitest'
import { designsOf } from '../src/compile/designs/designs.ts'
import { compileWebGpu } from '../src/compile.ts'
import type { AnyVersion, ProgramDesign } from '../src/design/design.ts'
import type { LoopHost } from '../src/design/facts.ts'
import { leastLimits } from '../src/design/least-limits.ts'
import type { NearChoice } from '../src/design/near.ts'
import { driverText, type Shader } from '../src/design/shader.ts'
import type { CompiledWebGpu } from '../src/designs/compiled.ts'
import { nearDesigns } from '../src/designs/near-designs.ts'
import { compiledDesigns } from '../src/run/programs/compiled-designs.ts'

const uniform = { least: 32, most: 32 }
const card = (limits: object, subgroups: LoopHost['subgroups'] = uniform): LoopHost => ({
  info: { name: 'a card', kind: 'hardware' },
  limits: { ...leastLimits, ...limits },
  subgroups,
})
const large = {
  maxComputeInvocationsPerWorkgroup: 1024,
  maxComputeWorkgroupSizeX: 1024,
  maxComputeWorkgroupStorageSize: 49152,
}
const hosts: readonly (readonly [name: string, host: LoopHost])[] = [
  ['a software GPU', { info: { name: 'software', kind: 'software' }, limits: leastLimits, subgroups: undefined }],
  ['a small card', card({})],
  ['a large card', card(large)],
  ['a card without subgroups', card(large, undefined)],
]
const counts = [1, 67, 700, 5000, 16384, 30000, 100000, 300000]

const form = { dimension: 3, sameSet: true, vectors: ['position', 'velocity'] } as const
const shapeOf = (count: number, more: Partial<Shape> = {}): Shape => ({
  ...form,
  targets: count,
  sources: count,
  ...more,
})

/** The workload, compiled into a file and read back. */
const filed = (workload: Workload, shape: Partial<Shape> = {}): CompiledWebGpu =>
  JSON.parse(JSON.stringify(compileWebGpu(workload, shapeOf(1000, shape), { forms: [{}] })))

/** A shader as the driver sees it: without comments, labels and margins. */
const bareShader = ({ label: _, fields, code, ...rest }: Shader) => ({
  ...rest,
  fields: fields.map(({ name, type }) => ({ name, type })),
  code: driverText({ code, resources: rest.resources }).replace(/\s+/g, ' ').trim(),
})

/** A design with such shaders. A file has none for Verlet lists, because simulations need the compiler. */
function bare(design: ProgramDesign | undefined): object | undefined {
  if (!design) return undefined
  const version = ({ shaders, ...rest }: AnyVersion) => ({
    ...rest,
    shaders: Object.fromEntries(Object.entries(shaders).map(([name, one]) => [name, bareShader(one as Shader)])),
  })
  const { versions, inParts, ...others } = design
  const { lasting: _, carries: __, ...rest } = { lasting: undefined, carries: undefined, ...others }
  const all = Object.entries(versions).map(([guard, one]) => [guard, version(one)])
  return JSON.parse(JSON.stringify({ ...rest, versions: Object.fromEntries(all), inParts: bare(inParts) }))
}

const bareWay = ({ chooser, ...way }: Omit<NearChoice, 'cells'>) => ({
  ...way,
  chooser: chooser && { ...chooser, shader: bareShader(chooser.shader) },
})

/** The choice with such shaders. Cells suit a box that is long enough for their number. */
function bareChoice(choice: NearChoice | undefined) {
  if (!choice?.cells) return choice && bareWay(choice)
  const { cells, ...blocks } = choice
  const { suit, ...way } = cells
  const suits = [2, 4, 0.01].map((cutoff) => suit({ cutoff, boxX: 9, boxY: 9, boxZ: 9 }))
  return { ...bareWay(blocks), cells: { ...bareWay(way), suits } }
}

const pairs: readonly (readonly [name: string, workload: PairWorkload])[] = [
  ['gravity', accelerations(gravity())],
  ['softened gravity', accelerations(gravity({ softening: 0.1 }))],
  ['a potential', potentials(gravity())],
  ['a liquid', forces(lennardJones(), { cutoff: 2, boundary: periodic([9, 9, 9]) })],
  ['exclusions', forces(lennardJones(), { exclusions: [[0, 1]] })],
  ['the nearest', nearest(8)],
  ['a soft maximum', reduce('logsumexp', pairTerm('-r2')())],
]

test.each(pairs)('%s: the loops that the model takes', (_, workload) => {
  const compiled = filed(workload)
  for (const [name, host] of hosts)
    for (const count of counts) {
      const shape = shapeOf(count)
      const [expected, got] = [
        designsOf(workload, shape, host).folds,
        compiledDesigns(compiled, nearDesigns, workload, shape, host).folds,
      ]
      expect(bare(got?.plain()), `${name}, ${count}`).toEqual(bare(expected?.plain()))
      expect(got?.once).toEqual(expected?.once)
      expect(got?.early).toEqual(expected?.early)
      const near = (folds: typeof got) => folds?.near(folds.plain())
      expect(bareChoice(near(got))).toEqual(bareChoice(near(expected)))
    }
})

test('loops that meet each pair once, and the one that proves them', () => {
  const workload = accelerations(gravity())
  const compiled = filed(workload)
  for (const count of [16384, 65536, 300000]) {
    const shape = shapeOf(count)
    const [expected, got] = [
      designsOf(workload, shape, card(large)),
      compiledDesigns(compiled, nearDesigns, workload, shape, card(large)),
    ]
    for (const plan of [expected.folds?.once, expected.folds?.early])
      expect(bare(got.of(plan))).toEqual(bare(expected.of(plan)))
    expect(bare(got.folds?.simple())).toEqual(bare(expected.folds?.simple()))
  }
})

test.each([
  ['a liquid', forces(lennardJones(), { cutoff: 2, boundary: periodic([9, 9, 9]) })],
  ['the nearest', nearest(8)],
  ['the nearest in a plane', nearest(3), { dimension: 2, sameSet: false }],
] as const)('%s: blocks and cells', (_, workload, form: Partial<Shape> = {}) => {
  const compiled = filed(workload, form)
  for (const count of [1, 700, 5000, 300000]) {
    const shape = shapeOf(count, form)
    const [expected, got] = [
      designsOf(workload, shape, card(large)),
      compiledDesigns(compiled, nearDesigns, workload, shape, card(large)),
    ]
    expect(bare(got.folds?.blocks()), `${count}`).toEqual(bare(expected.folds?.blocks()))
    expect(bare(got.folds?.cells()), `${count}`).toEqual(bare(expected.folds?.cells()))
  }
})

test('two sets of points, in two dimensions', () => {
  const workload = forces(lennardJones())
  const sets = { dimension: 2, sameSet: false } as const
  const compiled = filed(workload, sets)
  for (const [, host] of hosts)
    for (const targets of [1, 300, 20000])
      for (const sources of [1, 5000, 200000]) {
        const shape = { ...shapeOf(targets, sets), sources }
        const expected = designsOf(workload, shape, host).of()
        expect(bare(compiledDesigns(compiled, nearDesigns, workload, shape, host).of())).toEqual(bare(expected))
      }
})

test.each([
  ['a map', map({ position: 'position + dt*velocity' }, { dt: 0.1 })],
  ['cells', cellIndex({ cells: [3, 4, 5], spacing: 1 })],
  ['a stencil', gradient({ cells: [10, 10, 7], spacing: 1 })],
  ['a matrix', matrix(pairTerm('exp(-r2)')())],
] as const)('%s', (_, workload) => {
  const compiled = filed(workload)
  for (const [, host] of hosts)
    for (const count of [1, 5000]) {
      const shape = shapeOf(count)
      expect(bare(compiledDesigns(compiled, nearDesigns, workload, shape, host).of())).toEqual(
        bare(designsOf(workload, shape, host).of()),
      )
    }
})

test('devices for which a file has no loop take one that they can run', () => {
  const workload = accelerations(gravity())
  const compiled = filed(workload)
  const variantOn = (host: LoopHost) =>
    compiledDesigns(compiled, nearDesigns, workload, shapeOf(5000), host).folds?.plain().variant
  expect(variantOn(card({ ...large, maxComputeInvocationsPerWorkgroup: 300 }))).toMatch(/^sliced \(workgroup 256,/)
  expect(variantOn(card({ maxComputeInvocationsPerWorkgroup: 128 }))).toMatch(/^naive \(workgroup 64,/)
  expect(
    compiledDesigns(compiled, nearDesigns, workload, shapeOf(50000), card(large, { least: 64, most: 64 })).folds?.once,
  ).toBe(undefined)
})

test.each([
  ['vector', sum(pairTerm('vector(b_j)')()), { vectors: [], lengths: { b: 40 } }],
  ['matrix', matrix(pairTerm('exp(-r2)')()), {}],
  ['direct', map({ position: 'position + dt*velocity' }, { dt: 0.1 }), {}],
] as const)('a file with one loop, %s, takes no plan of another one', (variant, workload: Workload, more) => {
  const { of } = compiledDesigns(filed(workload, more), nearDesigns, workload, shapeOf(700, more), card(large))
  expect(bare(of({ variant }))).toEqual(bare(of()))
  for (const plan of [{ variant: 'staged' }, { variant, sizes: { parts: 2 } }])
    expect(() => of(plan)).toThrow(
      `"plan" expected none, or ${variant} without sizes, which the file holds, got ${JSON.stringify(plan)}`,
    )
})

test('what a file lacks is an error', () => {
  const workload = accelerations(gravity())
  const compiled = filed(workload)
  const designs = (shape: Partial<Shape>) =>
    compiledDesigns(compiled, nearDesigns, workload, shapeOf(700, shape), card(large))
  expect(() => designs({ split: true })).toThrow('compile it with far: true')
  expect(() => designs({}).of({ variant: 'tiled' })).toThrow(
    '"plan" expected none, or one that the file holds, got tiled in sizes that it lacks',
  )
  expect(designs({}).of({ variant: 'naive' }).variant).toMatch(/^naive/)
})
