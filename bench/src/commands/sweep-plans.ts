/** The plans of `sweep`: every variant of the loop, by block size, unrolling, and the splitting of sources. */

import type { Plan } from '@manybody/core'
import { onceVariant, plainVariants } from '../../../packages/backend-webgpu/src/plans/variants.ts'
import type { Options } from '../arguments/options.ts'
import type { BackendSpec } from '../contenders/backend.ts'

const powers = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.log2(to / from) + 1 }, (_, k) => from * 2 ** k)

const blocks = powers(1, 1024)

/** The plans to time for each backend. Each part is a table of the report. */
const plans: Readonly<Record<string, readonly Plan[]>> = {
  webgpu: [
    ...plainVariants.flatMap((variant) => blocks.map((workgroup) => ({ variant, sizes: { workgroup } }))),
    { variant: onceVariant },
    ...powers(2, 16).flatMap((unroll) =>
      [64, 256].map((workgroup) => ({ variant: 'tiled-unrolled', sizes: { workgroup, unroll } })),
    ),
    ...powers(2, 128).flatMap((parts) =>
      [64, 256].map((workgroup) => ({ variant: 'split', sizes: { workgroup, parts } })),
    ),
  ],
  'cpu-wasm': [
    ...powers(1, 4).map((registers) => ({ variant: 'simd', sizes: { registers } })),
    ...powers(1, 4).map((registers) => ({ variant: 'simd-relaxed', sizes: { registers } })),
    ...powers(64, 4096).map((tile) => ({ variant: 'simd', sizes: { tile } })),
    { variant: 'pairs-once' },
    { variant: 'pairs-once-relaxed' },
  ],
  webgl: [{ variant: 'naive' }, { variant: 'texture-loop' }],
}

/** Backends that run in Node are swept there, unless only the browser was requested. */
export function sweptSpecs(backend: string, environment: string, { environments }: Options): readonly BackendSpec[] {
  if (environment === 'chromium' && environments.includes('node') && backend !== 'webgl') return []
  return [{ backend }, ...(plans[backend] ?? []).map((plan) => ({ backend, plan }))]
}
