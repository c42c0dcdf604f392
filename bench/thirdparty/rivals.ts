/** The contenders of the comparison: the CPU backend in its variants, and the rivals that can compute the problem. */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import type { OpenOptions } from '@manybody/core'
import type { Contender, Sketch } from '../src/contender.ts'
import { backendContender, Devices } from '../src/contenders/backend.ts'
import { withTypedLaw } from '../src/contenders/typed-law.ts'
import { gpuJs } from './gpu-js.ts'
import { javascript } from './javascript.ts'
import { Native, widths } from './native.ts'
import { forTrees, type LoopName, loopOf } from './points.ts'
import { tensors } from './tensors.ts'
import { d3Force, ngraph } from './trees.ts'

const backend = cpuWasm()

/** The contenders, once the compiler and the features of the engine are found. */
export interface Rivals {
  /** The version of the C compiler. */
  readonly cc: string | undefined
  of(problem: Sketch): readonly Contender[]
  dispose(): Promise<void>
}

/** Loops that can visit each pair once. */
const symmetric: readonly LoopName[] = ['gravity', 'coulomb', 'lennardJones', 'gaussian']

export async function openRivals(): Promise<Rivals> {
  const [native, devices, probe] = [new Native(), new Devices(), await backend.probe()]
  const relaxed = probe.available && probe.features.includes('relaxed-simd')
  return {
    cc: native.version,
    of(problem) {
      const loop = loopOf(problem)
      return [...ours(loop, relaxed, devices), ...theirs(loop, native)]
    },
    async dispose() {
      native.dispose()
      await devices.dispose()
    },
  }
}

function ours(loop: LoopName, relaxed: boolean, devices: Devices): readonly Contender[] {
  const sums = symmetric.includes(loop) || forTrees(loop)
  const plain = sums ? ['simd', 'pairs-once'] : [undefined]
  const all = [...plain, ...(sums && relaxed ? ['simd-relaxed', 'pairs-once-relaxed'] : [])]
  const inPlans = (variants: readonly (string | undefined)[], open: Pick<OpenOptions, 'precision' | 'threads'>) =>
    variants.map((variant): Contender => {
      const who = open.threads ? 'cpu-wasm' : 'cpu-wasm, threads'
      const plan = variant === undefined ? {} : { plan: { variant } }
      const name = [who, variant ?? 'as it chooses', open.precision].join(', ')
      return { ...backendContender(who, backend, { ...open, ...plan }, devices), name }
    })
  /** Gravity as a user would type it. It should be as fast as the built-in law. */
  const typed = () =>
    withTypedLaw(backendContender('cpu-wasm, typed law', backend, { threads: 1, plan: { variant: 'simd' } }, devices))
  return [
    ...inPlans(all, { precision: 'f32', threads: 1 }),
    ...inPlans(plain, { precision: 'f32' }),
    ...inPlans(plain, { precision: 'f64', threads: 1 }),
    ...(loop === 'gravity' ? [typed()] : []),
  ]
}

/** Slower contenders come last, so that a run that is cut short has the others. */
function theirs(loop: LoopName, native: Native): readonly Contender[] {
  const plain = [javascript('plain', 'f32'), javascript('plain', 'f64')]
  if (loop === 'planarGravity') return [...plain, d3Force(0.9), d3Force(0)]
  if (loop === 'pointGravity') return [...plain, ngraph(0.8), ngraph(0)]
  const { sse, avx2, fma, avx512, threads } = widths
  const once = symmetric.includes(loop)
  const doubles = loop === 'gravity' ? [sse, fma] : []
  return [
    ...plain,
    ...(once ? [javascript('once', 'f32'), javascript('once', 'f64')] : []),
    ...[threads, sse, ...(once ? [avx2] : []), fma, avx512].map((width) => native.contender(width)),
    ...(once ? [sse, avx2, fma, avx512] : []).map((width) => native.contender(width, { once })),
    ...doubles.flatMap((width) => [false, true].map((once) => native.contender(width, { once, precision: 'f64' }))),
    ...(['cpu', 'webasm', 'webasm, threads'] as const).map((mode) => gpuJs(mode)),
    tensors(),
  ]
}
