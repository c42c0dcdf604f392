/** Who takes part in the comparison: the CPU backend in its variants, and the rivals that know the problem. */

import type { Backend, Plan, Precision } from '@manybody/core'
import { accelerations, pairPotential } from '@manybody/core'
import { backends } from 'manybody'
import type { Contender, Problem } from '../src/contender.ts'
import { backendContender, Devices } from '../src/contenders/backend.ts'
import { gpuJs } from './gpu-js.ts'
import { gpuJsInNode } from './gpu-js-in-node.ts'
import { javascript } from './javascript.ts'
import { Native, widths } from './native.ts'
import { forTrees, type LoopName, loopOf, pointsOf } from './points.ts'
import { tensors } from './tensors.ts'
import { d3Force, ngraph } from './trees.ts'

export class Rivals {
  readonly native: Native
  readonly #devices = new Devices()
  readonly #backend: Backend
  readonly #relaxed: boolean

  private constructor(native: Native, backend: Backend, relaxed: boolean) {
    this.native = native
    this.#backend = backend
    this.#relaxed = relaxed
  }

  /** Finds the compiler and what the engine can do. */
  static async open(native: Native = new Native()): Promise<Rivals> {
    const backend = backends().find(({ name }) => name === 'cpu-wasm')
    if (!backend) throw new Error('expected a backend "cpu-wasm", found none')
    const probe = await backend.probe()
    return new Rivals(native, backend, probe.available && probe.features.includes('relaxed-simd'))
  }

  /** Slower ones come last, so that the others are not kept waiting by them when a run is cut short. */
  of(problem: Problem): readonly Contender[] {
    const loop = loopOf(problem)
    const pairwise = symmetric.includes(loop)
    return [
      ...this.#ours(loop),
      javascript('plain', 'f32'),
      javascript('plain', 'f64'),
      ...(pairwise ? [javascript('once', 'f32'), javascript('once', 'f64'), javascript('naive', 'f64')] : []),
      ...(pairwise ? this.#native() : []),
      ...(loop === 'planarGravity' ? [d3Force(0.9), d3Force(0)] : []),
      ...(loop === 'pointGravity' ? [ngraph(0.8), ngraph(0)] : []),
      ...(forTrees(loop)
        ? []
        : (['cpu', 'webasm', 'webasm, threads'] as const).map((mode) => gpuJs(mode, gpuJsInNode))),
      ...(forTrees(loop) ? [] : [tensors('wasm'), tensors('cpu')]),
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
    const open = { precision, ...(threads === undefined ? {} : { threads }), ...(plan ? { plan } : {}) }
    const shown = threads ? 'cpu-wasm' : 'cpu-wasm, threads'
    const name = [shown, variant ?? 'as it chooses', precision].join(', ')
    return { ...backendContender(shown, this.#backend, open, this.#devices), name }
  }

  /** Gravity as a user would type it, to be as fast as the one that is built in. */
  #typed(): Contender {
    const open = { precision: 'f32', threads: 1, plan: { variant: 'simd' } } as const
    const { prepare } = backendContender('cpu-wasm, typed law', this.#backend, open, this.#devices)
    return {
      name: 'cpu-wasm, typed law',
      prepare(problem) {
        const { G = 1, softening = 0 } = pointsOf(problem, 'f32').parameters
        return prepare({ ...problem, workload: accelerations(typedGravity({ strength: G, soft: softening })) })
      },
    }
  }

  #native(): readonly Contender[] {
    const { plain, sse, avx2, fma, avx512, threads } = widths
    const both = [sse, avx2, fma, avx512]
    return [
      this.native.contender(plain),
      this.native.contender(threads),
      ...both.map((width) => this.native.contender(width)),
      ...both.map((width) => this.native.contender(width, true)),
    ]
  }
}

/** Loops that exist in C, and once for each pair. */
const symmetric: readonly LoopName[] = ['gravity', 'coulomb', 'lennardJones', 'gaussian']

interface Variant {
  readonly variant: string | undefined
  readonly threads?: number
  readonly precision?: Precision
}

const typedGravity = pairPotential('-strength*mass_i*mass_j/sqrt(r2 + soft^2)', {
  name: 'typed by a user',
  inertia: 'mass',
  parameters: ['strength', 'soft'],
})
