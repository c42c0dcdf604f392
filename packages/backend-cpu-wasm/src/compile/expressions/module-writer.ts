/**
 * Writes a module of phases over one block of bindings. All loops of this backend are such modules.
 *
 * A phase is a function `(block, scratch, first, last)` that does the units of work from `first` to `last - 1`. Everything
 * that differs between runs (addresses, counts, parameters) is in the block, in memory, so that nothing is recompiled.
 *
 * @module
 */
import { type Binding, type Expr, render } from '@manybody/core/expression'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers, ModuleBuilder } from '../wasm/module-builder.ts'
import { at, type Node } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import type { mathCall } from './functions.ts'
import { sumOf, vectorLanguage } from './operators.ts'

export interface WriterOptions {
  readonly vector: Vector
  readonly shared: boolean
  /** Whether products and sums may be fused (relaxed SIMD). */
  readonly fused: boolean
  /** Number of sources in a tile. The terms of a tile are added in the precision of the device, and then join the total. */
  readonly tile: number
  /** Writes functions that take more than an instruction; absent if no expression has any. */
  readonly math?: typeof mathCall | undefined
}

/** The arguments of a phase. */
export interface PhaseArguments {
  readonly block: Node
  /** Address of memory that only this thread uses. */
  readonly scratch: Node
  readonly first: Node
  readonly last: Node
}

/** Values by their names in expressions. */
export type Values = ReadonlyMap<string, Node>

export class ModuleWriter {
  readonly module: ModuleBuilder
  readonly vector: Vector
  /** The offset of each entry of the block, in bytes. Each entry has 8 bytes. */
  readonly block: Map<string, number> = new Map()
  readonly fused: boolean
  readonly tile: number
  readonly #math: typeof mathCall | undefined

  constructor({ vector, shared, fused, tile, math }: WriterOptions) {
    this.#math = math
    this.module = new ModuleBuilder({ shared })
    this.vector = vector
    this.fused = fused
    this.tile = tile
  }

  /** `a + b`, in one instruction if b is a product and fusing is allowed. */
  sum(a: Node, b: Node): Node {
    return sumOf(this.vector, this.fused, a, b)
  }

  /** Adds a phase. */
  phase(name: string, write: (code: FunctionBuilder, args: PhaseArguments) => void): void {
    this.module.define(name, integers('block', 'scratch', 'first', 'last'), undefined, write)
  }

  /** An address or count, loaded from the block. */
  slot(code: FunctionBuilder, block: Node, name: string): Node {
    return code.let('i32', name, at('i32.load', this.offset(name), block))
  }

  /** The numbers of the run by name, each in every lane of a register. */
  numbers(code: FunctionBuilder, block: Node, bindings: readonly Binding[]): Values {
    return new Map(
      bindings.map(
        ({ name }) => [name, code.let('v128', name, this.vector.loadSplat(this.offset(name), block))] as const,
      ),
    )
  }

  offset(name: string): number {
    const known = this.block.get(name) ?? this.block.size * 8
    this.block.set(name, known)
    return known
  }

  /**
   * Computes bindings in order, given known values. Returns a renderer of expressions over all of these.
   *
   * @param suffix of the names of the locals
   * @param v the kind of registers to compute in
   */
  evaluate(
    code: FunctionBuilder,
    known: Values,
    bindings: readonly Binding[],
    { suffix = '', vector = this.vector }: { readonly suffix?: string; readonly vector?: Vector } = {},
  ): (e: Expr) => Node {
    const values = new Map(known)
    const symbol = (name: string): Node => {
      const value = values.get(name)
      if (value === undefined) throw new Error(`no value for "${name}" in ${code.name}`)
      return value
    }
    const language = vectorLanguage({ module: this.module, code, vector, fused: this.fused, symbol, math: this.#math })
    for (const { name, expr } of bindings)
      values.set(name, code.let('v128', `${name}${suffix}`, render(expr, language)))
    return (e) => render(e, language)
  }
}
