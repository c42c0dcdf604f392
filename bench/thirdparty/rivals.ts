/** The contenders of the comparison: the CPU backend in its variants, and the rivals that can compute the problem. */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import type { Plan, Precision } from '@manybody/core'
import type { Contender, Sketch } from '../src/contender.ts'
import { backendContender, Devices } from '../src/contenders/backend.ts'
import { withTypedLaw } from '../src/contenders/typed-law.ts'
import { gpuJs } from './gpu-js/gpu-js.ts'
import { gpuJsInNode } from './gpu-js/gpu-js-in-node.ts'
import { javascript } from './javascript.ts'
import { Native, widths } from './native.ts'
import { forTrees, type LoopName, loopOf } from './points.ts'
import { tensors } from './tensors.ts'
import { d3Force, ngraph } from './trees.ts'

const backend = cpuWasm()

export class Rivals {
  readonly native: Native
  readonly #devices = new Devices()
  readonly #relaxed: boolean

  private constructor(native: Native, relaxed: boolean) {
    this.native = native
    this.#relaxed = relaxed
  }

  /** Finds the compiler and the features of the engine. */
  static async open(native: Native = new Native()): Promise<Rivals> {
    const probe = await backend.probe()
    return new Rivals(native, probe.available && probe.features.includes('relaxed-simd'))
  }

  /** Slower contenders come last, so that a run that is cut short has the others. */
  of(problem: Sketch): readonly Contender[] {
    const loop = loopOf(problem)
    const pairwise = symmetric.includes(loop)
    return [
      ...this.#ours(loop),
      javascript('plain', 'f32'),
      javascript('plain', 'f64'),
      ...(pairwise ? [javascript('once', 'f32'), javascript('once', 'f64')] : []),
      ...(forTrees(loop) ? [] : this.#native(loop)),
      ...(loop === 'planarGravity' ? [d3Force(0.9), d3Force(0)] : []),
      ...(loop === 'pointGravity' ? [ngraph(0.8), ngraph(0)] : []),
      ...(forTrees(loop)
        ? []
        : (['cpu', 'webasm', 'webasm, threads'] as const).map((mode) => gpuJs(mode, gpuJsInNode))),
      ...(forTrees(loop) ? [] : [tensors()]),
    ]
  }

  async dispose(): Promise<void> {
    this.native.dispose()
    await this.#devices.dispose()
  }

  #ours(loop: LoopName): readonly Contender[] {
    const sum = symmetric.includes(loop) || forTrees(loop)
    const variants = sum
      ? ['simd', 'pairs-once', ...(this.#relaxed ? ['simd-relaxed', 'pairs-once-relaxed'] : [])]
      : [undefined]
    const one = variants.map((variant) => this.#variant({ variant, threads: 1 }))
    const all = (sum ? ['simd', 'pairs-once'] : [undefined]).map((variant) => this.#variant({ variant }))
    const wide = (sum ? ['simd', 'pairs-once'] : [undefined]).map((variant) =>
      this.#variant({ variant, threads: 1, precision: 'f64' }),
    )
    return [...one, ...all, ...wide, ...(loop === 'gravity' ? [this.#typed()] : [])]
  }

  #variant({ variant, threads, precision = 'f32' }: Variant): Contender {
    const plan: Plan | undefined = variant === undefined ? undefined : { variant }
    const open = {
      precision,
      ...(threads === undefined ? {} : { threads }),
      ...(plan ? { plan } : {}),
    }
    const shown = threads ? 'cpu-wasm' : 'cpu-wasm, threads'
    const name = [shown, variant ?? 'as it chooses', precision].join(', ')
    return { ...backendContender(shown, backend, open, this.#devices), name }
  }

  /** Gravity as a user would type it. It should be as fast as the built-in law. */
  #typed(): Contender {
    const open = { precision: 'f32', threads: 1, plan: { variant: 'simd' } } as const
    return withTypedLaw(backendContender('cpu-wasm, typed law', backend, open, this.#devices))
  }

  #native(loop: LoopName): readonly Contender[] {
    const { sse, avx2, fma, avx512, threads } = widths
    const widest = symmetric.includes(loop) ? [threads, sse, avx2, fma, avx512] : [threads, sse, fma, avx512]
    const once = symmetric.includes(loop) ? [sse, avx2, fma, avx512] : []
    const doubles = loop === 'gravity' ? [sse, fma] : []
    return [
      ...widest.map((width) => this.native.contender(width)),
      ...once.map((width) => this.native.contender(width, { once: true })),
      ...doubles.flatMap((width) =>
        [false, true].map((once) => this.native.contender(width, { once, precision: 'f64' })),
      ),
    ]
  }
}

/** Loops that can visit each pair once. */
const symmetric: readonly LoopName[] = ['gravity', 'coulomb', 'lennardJones', 'gaussian']

interface Variant {
  readonly variant: string | undefined
  readonly threads?: number
  readonly precision?: Precision
}
