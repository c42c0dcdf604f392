/**
 * The inner loop: a few registers of targets meet the sources of one tile, one source after the other.
 *
 * The arguments of `tile(block, target, state, source, end, index, scratch)` are addresses: of the values of the targets, of
 * the state of the fold, of the first source, and of the end of the last source. Then follow the index of the first source and
 * the scratch of the fold. `tileMasked` has one more: the address of the mask of left-out pairs.
 *
 * If the sources of a tile are listed, `source` is the address of the first of all sources, and `end` the end of the list. One
 * more argument is the address of the list. If it lists places, `index` is the address of their order.
 *
 * @module
 */
import type { PairBody } from '@manybody/core/expression'
import { type Expr, key, pairNumber } from '@manybody/core/expression'
import type { ModuleWriter, Values } from '../expressions/module-writer.ts'
import type { EachComponent, Fold, PairTerms } from '../folds/fold.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, get, i32, type Node, op, plus, times } from '../wasm/nodes.ts'
import { bytesOf, loadPoint, type PointValues, registerAt } from './points.ts'
import { readTables, tablesOf } from './table-reads.ts'
import { termComponents } from './term-components.ts'
import { pairComponents, pairFolds, parameterVectors } from './vectors.ts'

export interface TileOptions {
  readonly writer: ModuleWriter
  readonly body: PairBody
  readonly fold: Fold
  readonly targets: PointValues
  readonly sources: PointValues
  /** Number of registers of targets in the loop. */
  readonly registers: number
  readonly dimension: number
  /** Whether the sources of a tile are listed: by their places, or by their numbers. */
  readonly listed?: 'places' | 'numbers'
}

/** The options of a loop that meets tiles, and may leave pairs out. */
export interface PassOptions extends TileOptions {
  readonly exclusions: boolean
}

/** Adds the tile function. */
export function defineTile(options: TileOptions, masked: boolean, suffix = ''): Callable {
  const { writer, body, fold, registers } = options
  const name = (masked ? 'tileMasked' : 'tile') + suffix
  const from: TermSource = { ...options, additive: fold.additive }
  const parameters = {
    block: 'i32',
    target: 'i32',
    state: 'i32',
    source: 'i32',
    end: 'i32',
    index: 'i32',
    scratch: 'i32',
    ...(masked ? { mask: 'i32' as const } : {}),
    ...(options.listed ? { list: 'i32' as const } : {}),
  } as const
  return writer.module.define(name, parameters, undefined, (code, { block, target, state, end, scratch }) => {
    const arg = (argument: keyof typeof parameters) => code.argument(argument)
    const { listed } = options
    const source = listed ? code.local('i32', 'record') : arg('source')
    const index = arg('index')
    const mask = masked ? arg('mask') : undefined
    const numbers = loopNumbers(writer, code, block, body)
    const rows = Array.from({ length: registers }, (_, u) => ({
      values: loadPoint(writer, options.targets, registerAt(writer, options.targets, target, i32(u))).map(
        ([n, load]) => [n, code.let('v128', `${n}${u}`, load)] as const,
      ),
      fold: fold.tile(code, plus(state, u * fold.stateBytes), plus(scratch, u * fold.tileBytes)),
    }))
    const stride = bytesOf(writer, options.sources)
    const components = (
      code: FunctionBuilder,
      vector: NonNullable<PairBody['vector']>,
      { terms, condition }: PairTerms,
      register: Parameters<typeof termComponents>[2],
    ): EachComponent => {
      const pair = terms.map((term, n) => [pairNumber(n), code.let('v128', 'number', term)] as const)
      const record = { vectors: options.sources.vectors, address: get(source) }
      return termComponents({ writer, vector }, record, register, new Map([...numbers, ...pair]), condition)
    }
    /** The pairs of all targets with one source, which has an index. */
    const meet = (code: FunctionBuilder, j: Node): void => {
      const shared = loadPoint(writer, options.sources, get(source)).map(
        ([n, load]) => [n, code.let('v128', n, load)] as const,
      )
      const folded = pairFolds(code, {
        ...{ writer, folds: body.folds, numbers },
        record: { vectors: options.sources.vectors, address: get(source) },
        registers: {
          ...{ vectors: options.targets.vectors, address: target },
          ...{ count: registers, bytes: bytesOf(writer, options.targets) },
        },
      })
      for (const [u, row] of rows.entries()) {
        const values: Values = new Map([...numbers, ...row.values, ...shared, ...(folded[u] ?? [])])
        const left = mask && at('v128.load', u * writer.vector.width, get(mask))
        const pair = pairTerms(from, code, values, `${u}`, left, j)
        const register = {
          vectors: options.targets.vectors,
          address: registerAt(writer, options.targets, target, i32(u)),
        }
        row.fold.add(body.vector ? { ...pair, components: components(code, body.vector, pair, register) } : pair)
      }
      if (mask) write(code)`${mask} += ${registers * writer.vector.width}`
    }
    if (listed) {
      const laneAt = (_: FunctionBuilder, records: Node, place: Node) =>
        options.sources.laneAt?.(records, place) ?? plus(records, times(place, stride))
      const indexOf = (code: FunctionBuilder, place: Node) =>
        listed === 'places' ? value(code)`i32[${index} + ${place} * 4]` : place
      write(code)`
        do {
          let place = i32[${arg('list')}]
          ${source} = ${laneAt}(${arg('source')}, place)
          ${meet}(${indexOf}(place))
          ${arg('list')} += 4
        } while ${arg('list')} < ${end}`
    } else
      write(code)`
        do {
          ${meet}(${index})
          ${index} += 1
          ${source} += ${stride}
        } while ${source} < ${end}`
    for (const row of rows) row.fold.end()
  })
}

/** The values that all pairs of a loop share: the numbers of the run, and the address of tables. */
export function loopNumbers(writer: ModuleWriter, code: FunctionBuilder, block: Node, body: PairBody): Values {
  return new Map([
    ...writer.numbers(code, block, body.run),
    ...tablesOf(writer, code, block, body),
    ...parameterVectors(writer, code, block, pairComponents(body)),
  ])
}

/** The input of `pairTerms`. */
export interface TermSource {
  readonly writer: ModuleWriter
  readonly body: PairBody
  readonly dimension: number
  /** Whether a pair that does not count has terms of 0. */
  readonly additive: boolean
}

/** The terms of one pair. `left` marks the lanes that leave the pair out. */
export function pairTerms(
  { writer, body, dimension, additive }: TermSource,
  code: FunctionBuilder,
  values: Values,
  suffix: string,
  left: Node | undefined,
  index: Node,
): PairTerms {
  const render = writer.evaluate(code, readTables(writer, code, body, values, suffix), body.loop, { suffix })
  const keep = body.keep ? render(body.keep) : undefined
  const whole = keep && left ? op('v128.andnot', keep, left) : (keep ?? (left && op('v128.not', left)))
  const condition = whole && code.let('v128', 'keep', whole)
  const axes = ['dx', 'dy', 'dz'].slice(0, dimension)
  const vectorOf = (expressions: readonly Expr[]): readonly Node[] => {
    const counted = expressions.map((e) => (condition && additive ? op('v128.and', render(e), condition) : render(e)))
    if (body.form === 'components') return counted
    const coefficient = code.let('v128', 'coefficient', counted[0] ?? writer.vector.constant(code, 0))
    return axes.map((axis) => writer.vector.op('mul', coefficient, render({ kind: 'symbol', name: axis })))
  }
  const same = body.reaction.length > 0 && body.terms.every((e, c) => key(e) === key(body.reaction[c] ?? e))
  const terms = same ? vectorOf(body.terms).map((term) => code.let('v128', 'term', term)) : vectorOf(body.terms)
  return { terms, reaction: same ? terms : vectorOf(body.reaction), condition, index }
}
