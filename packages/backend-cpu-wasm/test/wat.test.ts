// The generated code, to be read: the loop of gravity in two of its forms, and that all of it is valid.

import { accelerations, gravity, lennardJones, type PairWorkload, pairTerm, periodic, reduce } from '@manybody/core'
import { expect, it } from 'vitest'
import { type PairDesignOptions, pairDesign } from '../src/designs/pair-design.ts'
import { wasmText } from '../src/text.ts'
import { printModule } from '../src/wasm/print.ts'
import { float32, float64 } from '../src/wasm/vector.ts'

const shape = { dimension: 3, targets: 2000, sources: 2000, sameSet: true, vectors: [] } as const
const options: PairDesignOptions = {
  v: float32,
  shared: false,
  fused: false,
  wide: false,
  tile: 256,
  guard: false,
  registers: 1,
  once: false,
}

/** The text of one function, from its loop on. */
function loopOf(workload: PairWorkload, name: string, more: Partial<PairDesignOptions> = {}): string {
  const text = printModule(pairDesign(workload, shape, { ...options, ...more }).writer.module)
  const start = text.indexOf(`(func $${name} `)
  return text.slice(text.indexOf('(loop', start), text.indexOf('\n  (func', start))
}

const workload = accelerations(gravity({ softening: 0.05 }))

it('rejects a reduction that it does not know', () => {
  expect(() => loopOf({ ...workload, reduction: 'median' as 'sum' }, 'tile')).toThrow()
})

it('is the loop that one would write', () => {
  expect(loopOf(workload, 'tile')).toMatchInlineSnapshot(`
    "(loop
          (local.set $xj (v128.load32_splat (local.get $source)))
          (local.set $yj (v128.load32_splat offset=4 (local.get $source)))
          (local.set $zj (v128.load32_splat offset=8 (local.get $source)))
          (local.set $s0 (v128.load32_splat offset=12 (local.get $source)))
          (local.set $dx0 (f32x4.sub (local.get $xj) (local.get $xi0)))
          (local.set $dy0 (f32x4.sub (local.get $yj) (local.get $yi0)))
          (local.set $dz0 (f32x4.sub (local.get $zj) (local.get $zi0)))
          (local.set $e00
            (f32x4.add
              (f32x4.add
                (f32x4.add (local.get $p1) (f32x4.mul (local.get $dx0) (local.get $dx0)))
                (f32x4.mul (local.get $dy0) (local.get $dy0)))
              (f32x4.mul (local.get $dz0) (local.get $dz0))))
          (local.set $coefficient
            (f32x4.div (local.get $s0) (f32x4.mul (local.get $e00) (f32x4.sqrt (local.get $e00)))))
          (local.set $total (f32x4.add (local.get $total) (f32x4.mul (local.get $coefficient) (local.get $dx0))))
          (local.set $total.1
            (f32x4.add (local.get $total.1) (f32x4.mul (local.get $coefficient) (local.get $dy0))))
          (local.set $total.2
            (f32x4.add (local.get $total.2) (f32x4.mul (local.get $coefficient) (local.get $dz0))))
          (local.set $index (i32.add (local.get $index) (i32.const 1)))
          (local.set $source (i32.add (local.get $source) (i32.const 16)))
          (br_if 0 (i32.lt_u (local.get $source) (local.get $end))))
        (v128.store
          (local.get $state)
          (f64x2.add (v128.load (local.get $state)) (f64x2.promote_low_f32x4 (local.get $total))))
        (v128.store offset=16
          (local.get $state)
          (f64x2.add
            (v128.load offset=16 (local.get $state))
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $total) (local.get $total)))))
        (v128.store offset=32
          (local.get $state)
          (f64x2.add (v128.load offset=32 (local.get $state)) (f64x2.promote_low_f32x4 (local.get $total.1))))
        (v128.store offset=48
          (local.get $state)
          (f64x2.add
            (v128.load offset=48 (local.get $state))
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $total.1) (local.get $total.1)))))
        (v128.store offset=64
          (local.get $state)
          (f64x2.add (v128.load offset=64 (local.get $state)) (f64x2.promote_low_f32x4 (local.get $total.2))))
        (v128.store offset=80
          (local.get $state)
          (f64x2.add
            (v128.load offset=80 (local.get $state))
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $total.2) (local.get $total.2))))))"
  `)
})

it('gives to both points where each pair is visited once', () => {
  expect(loopOf(workload, 'both', { once: true })).toMatchInlineSnapshot(`
    "(loop
          (local.set $xj (v128.load32_splat (local.get $source)))
          (local.set $yj (v128.load32_splat offset=4 (local.get $source)))
          (local.set $zj (v128.load32_splat offset=8 (local.get $source)))
          (local.set $s0 (v128.load32_splat offset=12 (local.get $source)))
          (local.set $dx0 (f32x4.sub (local.get $xj) (local.get $xi0)))
          (local.set $dy0 (f32x4.sub (local.get $yj) (local.get $yi0)))
          (local.set $dz0 (f32x4.sub (local.get $zj) (local.get $zi0)))
          (local.set $e00
            (f32x4.add
              (f32x4.add
                (f32x4.add (local.get $p1) (f32x4.mul (local.get $dx0) (local.get $dx0)))
                (f32x4.mul (local.get $dy0) (local.get $dy0)))
              (f32x4.mul (local.get $dz0) (local.get $dz0))))
          (local.set $e10 (f32x4.div (local.get $c1) (f32x4.mul (local.get $e00) (f32x4.sqrt (local.get $e00)))))
          (local.set $coefficient (f32x4.mul (local.get $s0) (local.get $e10)))
          (local.set $coefficient.1 (f32x4.mul (local.get $t00) (local.get $e10)))
          (local.set $total (f32x4.add (local.get $total) (f32x4.mul (local.get $coefficient) (local.get $dx0))))
          (local.set $total.1
            (f32x4.add (local.get $total.1) (f32x4.mul (local.get $coefficient) (local.get $dy0))))
          (local.set $total.2
            (f32x4.add (local.get $total.2) (f32x4.mul (local.get $coefficient) (local.get $dz0))))
          (local.set $received (f32x4.mul (local.get $coefficient.1) (local.get $dx0)))
          (local.set $received.1 (f32x4.mul (local.get $coefficient.1) (local.get $dy0)))
          (local.set $received.2 (f32x4.mul (local.get $coefficient.1) (local.get $dz0)))
          (local.set $sum (f32x4.sub (v128.load (local.get $reaction)) (local.get $received)))
          (local.set $sum.1 (f32x4.sub (v128.load offset=16 (local.get $reaction)) (local.get $received.1)))
          (local.set $sum.2 (f32x4.sub (v128.load offset=32 (local.get $reaction)) (local.get $received.2)))
          (v128.store (local.get $reaction) (local.get $sum))
          (v128.store offset=16 (local.get $reaction) (local.get $sum.1))
          (v128.store offset=32 (local.get $reaction) (local.get $sum.2))
          (local.set $reaction (i32.add (local.get $reaction) (i32.const 48)))
          (local.set $source (i32.add (local.get $source) (i32.const 16)))
          (br_if 0 (i32.lt_u (local.get $source) (local.get $end))))
        (v128.store
          (local.get $state)
          (f64x2.add (v128.load (local.get $state)) (f64x2.promote_low_f32x4 (local.get $total))))
        (v128.store offset=16
          (local.get $state)
          (f64x2.add
            (v128.load offset=16 (local.get $state))
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $total) (local.get $total)))))
        (v128.store offset=32
          (local.get $state)
          (f64x2.add (v128.load offset=32 (local.get $state)) (f64x2.promote_low_f32x4 (local.get $total.1))))
        (v128.store offset=48
          (local.get $state)
          (f64x2.add
            (v128.load offset=48 (local.get $state))
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $total.1) (local.get $total.1)))))
        (v128.store offset=64
          (local.get $state)
          (f64x2.add (v128.load offset=64 (local.get $state)) (f64x2.promote_low_f32x4 (local.get $total.2))))
        (v128.store offset=80
          (local.get $state)
          (f64x2.add
            (v128.load offset=80 (local.get $state))
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $total.2) (local.get $total.2))))))"
  `)
})

it('fuses where it may', () => {
  expect(loopOf(workload, 'tile', { fused: true })).toContain('f32x4.relaxed_madd')
  expect(loopOf(workload, 'tile')).not.toContain('relaxed')
})

it('is valid for every shape of the loop', () => {
  const box = periodic([1, 1, 1])
  const workloads = [
    workload,
    accelerations(lennardJones(), { boundary: box, cutoff: 0.4, exclusions: [[0, 1]] }),
    reduce('argmax', pairTerm('erfc(r)*sin(dx)^1.3 + atan2(dy, dz)')()),
    reduce('logsumexp', pairTerm('tanh(r)*log(r2 + 1)')()),
  ]
  for (const w of workloads)
    for (const v of [float32, float64])
      for (const registers of [1, 2, 4]) {
        const { writer } = pairDesign(w, shape, { ...options, v, registers })
        expect(WebAssembly.validate(writer.module.encode())).toBe(true)
      }
})

it('has no vectors in its scalar form', () => {
  const text = wasmText(reduce('logsumexp', pairTerm('tanh(r)*exp(-r2)')()), shape, { plan: { variant: 'scalar' } })
  expect(text).not.toMatch(/v128|\([fi](32x4|64x2)\./)
  expect(text).toContain('(f32.load')
})

it('can be had for any workload', () => {
  const text = wasmText(workload, shape, { precision: 'f64', plan: { variant: 'simd' } })
  expect(text).toContain('(func $pairs (export "pairs")')
  expect(text).toContain('f64x2.sqrt')
  expect(wasmText(workload, shape)).toContain('(func $both ')
})
