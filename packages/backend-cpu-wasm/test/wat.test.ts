// The generated modules as text. The files in `modules/` show some: the phases come first, and `$tile` holds the loop over sources.

import {
  accelerations,
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
  sum,
  type Workload,
} from '@manybody/core'
import { expect, it } from 'vitest'
import { allParts } from '../src/compile/designs/designs.ts'
import { type PairDesignOptions, pairDesign } from '../src/compile/designs/pair-design.ts'
import { mathCall } from '../src/compile/expressions/functions.ts'
import { printModule } from '../src/compile/wasm/print.ts'
import { float32, float64 } from '../src/compile/wasm/vector.ts'
import { type TextOptions, wasmText } from '../src/text.ts'
import { assemble, disassemble } from './support/assemble.ts'

const shape = { dimension: 3, targets: 2000, sources: 2000, sameSet: true, vectors: [] } as const
const options: PairDesignOptions = {
  math: mathCall,
  vector: float32,
  shared: false,
  fused: false,
  tile: 256,
  guard: false,
  registers: 1,
  visit: 'all',
  divides: false,
  unitBlocks: 32,
}

/** The text of one function, from its loop on. */
function loopOf(workload: PairWorkload, name: string, more: Partial<PairDesignOptions> = {}): string {
  const text = printModule(pairDesign(workload, shape, { ...options, ...more }, allParts).writer.module)
  const start = text.indexOf(`(func $${name} `)
  return text.slice(text.indexOf('(loop', start), text.indexOf('\n  (func', start))
}

const workload = accelerations(gravity({ softening: 0.05 }))

it('rejects an unknown reduction', () => {
  expect(() => loopOf({ ...workload, reduction: 'median' as 'sum' }, 'tile')).toThrow()
})

it('fuses multiply-adds if allowed', () => {
  expect(loopOf(workload, 'tile', { fused: true })).toContain('f32x4.relaxed_madd')
  expect(loopOf(workload, 'tile')).not.toContain('relaxed')
})

const moving: Shape = { ...shape, vectors: ['position', 'velocity'] }
const planar: Shape = { ...shape, dimension: 2, targets: 12 }
const squares = pairTerm('r2')()

it.each<[file: string, Workload, Shape, TextOptions]>([
  ['gravity', workload, shape, { plan: { variant: 'simd' } }],
  ['gravity-float64', workload, shape, { plan: { variant: 'simd' }, precision: 'f64' }],
  ['gravity-pairs-once', workload, shape, { plan: { variant: 'pairs-once' } }],
  ['argmin', reduce('argmin', squares), shape, {}],
  ['matrix', matrix(squares), shape, {}],
  ['map', map({ position: 'position + dt*velocity' }, { dt: 0.1 }), moving, {}],
  ['gradient', gradient({ cells: [3, 4], spacing: 0.5 }), planar, {}],
])(
  'modules/%s.wat matches the printed module, has a comment above each function, and compiles',
  async (file, workload, shape, options) => {
    const text = wasmText(workload, shape, options)
    await expect(text).toMatchFileSnapshot(`./modules/${file}.wat`)
    expect(text.match(/(?<!;; .*\n) {2}\(func .*/g)).toBeNull()
    await WebAssembly.compile(assemble(text))
  },
)

it('prints exactly the module that the engine compiles, for every shape of the loop', () => {
  const box = periodic([1, 1, 1])
  const workloads = [
    workload,
    accelerations(lennardJones(), { boundary: box, cutoff: 0.4, exclusions: [[0, 1]] }),
    reduce('argmax', pairTerm('erfc(r)*sin(dx)^1.3 + atan2(dy, dz)')()),
    reduce('logsumexp', pairTerm('tanh(r)*log(r2 + 1)')()),
    nearest(3),
  ]
  for (const w of workloads)
    for (const v of [float32, float64])
      for (const registers of [1, 2, 4]) {
        const { module } = pairDesign(w, shape, { ...options, vector: v, registers }, allParts).writer
        const bytes = module.encode()
        expect(WebAssembly.validate(bytes)).toBe(true)
        expect(disassemble(assemble(printModule(module)))).toBe(disassemble(bytes))
      }
})

it('a choice of 0 or a number takes one instruction', () => {
  const textOf = (chosen: string) => wasmText(sum(pairTerm(`select(r2 < 1, ${chosen})`)()), shape)
  expect(textOf('0, r2')).toContain('v128.andnot')
  expect(textOf('r2, 0')).toContain('v128.and ')
  for (const one of ['0, r2', 'r2, 0']) expect(textOf(one)).not.toContain('bitselect')
  for (const other of ['1, r2', '-0, r2']) expect(textOf(other)).toContain('bitselect')
})

it.each(['f32', 'f64'] as const)('the entries of a table take no conversion to whole numbers in %s', (precision) => {
  const tables = { a: [[1]], b: [[2]], c: [[3]], d: [[4]], e: [[5]] }
  const read = (names: string) => [...names].map((name) => `${name}[kind_i, kind_j]`).join('*')
  for (const names of ['a', 'ab', 'abc', 'abcde']) {
    const text = wasmText(sum(pairTerm(`${read(names)}*r2`, { tables })()), shape, { precision })
    expect(text).toContain('i32x4.min_u')
    expect(text).not.toContain('trunc_sat')
  }
})

it('prints the plan that would run by default', () => {
  const text = wasmText(workload, shape, { precision: 'f64', plan: { variant: 'simd' } })
  expect(text).toContain('(func $pairs (export "pairs")')
  expect(text).toContain('f64x2.sqrt')
  expect(wasmText(workload, shape)).toContain('(func $both ')
})
