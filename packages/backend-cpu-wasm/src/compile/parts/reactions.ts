/**
 * The reactions of sources, where pairs are met once: a tile that adds them up in a register for each source, and the function
 * that adds these registers to the totals.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { define, value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, get, i32, laned, type Node, plus } from '../wasm/nodes.ts'
import { bytesOf, loadPoint, registerAt } from './points.ts'
import { loopNumbers, pairTerms, type TileOptions } from './tile.ts'

/** Bytes of the register sums for the reactions of one source. */
export const reactionBytes = ({ fold }: Pick<TileOptions, 'fold'>): number => (fold.results[0]?.entries ?? 0) * 16

/**
 * `both(block, target, state, source, end, reaction, scratch)` is a tile that also adds the reactions of its sources. If the
 * tile lists sources by their places, `source` and `reaction` are the addresses for place 0, `end` is the end of the list, and
 * one more argument is the address of the list.
 */
export function defineBoth(options: TileOptions, suffix = ''): Callable {
  const { writer, body, fold, targets, sources, registers, dimension, listed } = options
  const { vector } = writer
  const parameters = {
    block: 'i32',
    target: 'i32',
    state: 'i32',
    source: 'i32',
    end: 'i32',
    reaction: 'i32',
    scratch: 'i32',
    ...(listed ? { list: 'i32' as const } : {}),
  } as const
  return writer.module.define(`both${suffix}`, parameters, undefined, (code, values) => {
    const { block, target, state, source: records, end, reaction: first } = values
    const [source, reaction] = listed
      ? [code.local('i32', 'record'), code.local('i32', 'received')]
      : [code.argument('source'), code.argument('reaction')]
    const list = listed ? code.argument('list') : undefined
    const numbers = loopNumbers(writer, code, block, body)
    const rows = Array.from({ length: registers }, (_, u) => ({
      values: loadPoint(writer, targets, registerAt(writer, targets, target, i32(u))).map(
        ([n, load]) => [n, code.let('v128', `${n}${u}`, load)] as const,
      ),
      fold: fold.tile(code, plus(state, u * fold.stateBytes), i32(0)),
    }))
    const join = body.form === 'radial' ? 'sub' : 'add'
    /** The pairs of all targets with one source, which receives their reactions. */
    const meet = (code: FunctionBuilder): void => {
      const shared = loadPoint(writer, sources, get(source)).map(([n, load]) => [n, code.let('v128', n, load)] as const)
      let totals: readonly Node[] = []
      for (const [u, row] of rows.entries()) {
        const values = new Map([...numbers, ...row.values, ...shared])
        const pair = pairTerms({ writer, body, dimension, additive: true }, code, values, `${u}`, undefined, i32(0))
        row.fold.add(pair)
        const before = totals
        totals = pair.reaction.map((term, c) => {
          const sum = before[c]
          return code.let('v128', 'received', sum ? writer.sum(sum, term) : term)
        })
      }
      const sums = totals.map((total, c) =>
        code.let('v128', 'sum', vector.op(join, at('v128.load', c * 16, get(reaction)), total)),
      )
      for (const [c, sum] of sums.entries()) code.emit(at('v128.store', c * 16, get(reaction), sum))
    }
    const [record, received] = [bytesOf(writer, sources), reactionBytes(options)]
    if (list)
      write(code)`
        do {
          let place = i32[${list}]
          ${source} = ${records} + place * ${record}
          ${reaction} = ${first} + place * ${received}
          ${meet}()
          ${list} += 4
        } while ${list} < ${end}`
    else
      write(code)`
        do {
          ${meet}()
          ${reaction} += ${received}
          ${source} += ${record}
        } while ${source} < ${end}`
    for (const row of rows) row.fold.end()
  })
}

/** `join(state, reaction, count)` adds up the lanes of each source's reaction, and adds the sums to the totals. */
export function defineJoin({ writer, fold }: Pick<TileOptions, 'writer' | 'fold'>): Callable {
  const { vector } = writer
  const { lanes, halves } = vector
  const sourceBytes = reactionBytes({ fold })
  const components = fold.results[0]?.entries ?? 0
  const sumOf = (code: FunctionBuilder, received: readonly Node[]) =>
    vector.widened(code, sumOfLanes(code, writer, received))
  return define(writer.module)`
    fn join(state, reaction, count) {
      for n in 0..(count + ${lanes - 1}) / ${lanes} {
        let from = reaction + n * ${lanes * sourceBytes}
        let to = state + n * ${fold.stateBytes}
        unroll c of 0..${components} {
          unroll n of 0..${lanes} { let received[n] = v128[from + (n * ${sourceBytes} + c * 16)] }
          const sums = ${sumOf}(received)
          unroll half of 0..${halves} { f64x2[to + (c * ${halves} + half) * 16] += sums[half] as f64x2 }
        }
      }
    }`
}

/** Adds up the lanes of each register. Lane n of the result is the sum of register n. */
function sumOfLanes(code: FunctionBuilder, { vector }: ModuleWriter, registers: readonly Node[]): Node {
  // Adds two registers' halves, or four registers' pairs of halves: [a0 + a2, b0 + b2, a1 + a3, b1 + b3].
  const bytes = (...lanes: readonly number[]) =>
    lanes.flatMap((lane) => Array.from({ length: vector.bytes }, (_, b) => lane * vector.bytes + b))
  const shuffled = (a: Node, b: Node, lanes: readonly number[]) => laned('i8x16.shuffle', bytes(...lanes), a, b)
  const folded = (a: Node, b: Node, low: readonly number[], high: readonly number[]) => value(code)`
    lanes real = ${vector.type}
    let folded = ${shuffled(a, b, low)} as real + ${shuffled(a, b, high)} as real
    folded`
  const [a, b, c, d] = registers as readonly [Node, Node, Node, Node]
  if (vector.lanes === 2) return folded(a, b, [0, 2], [1, 3])
  const halves = [folded(a, b, [0, 4, 1, 5], [2, 6, 3, 7]), folded(c, d, [0, 4, 1, 5], [2, 6, 3, 7])] as const
  return folded(...halves, [0, 1, 4, 5], [2, 3, 6, 7])
}
