/**
 * A source in a pair loop, as WGSL: loading and declaring its vectors, and visiting it with the targets of an invocation.
 *
 * @module
 */

import { wgsl } from '../wgsl/wgsl.ts'
import type { LoopShape } from './loop-shape.ts'
import type { PairTexts } from './pair-texts.ts'

/** The vectors of the source at index `j`, as expressions. */
export function loadSource(texts: PairTexts, { packed }: Pick<LoopShape, 'packed'>, j: string): readonly string[] {
  const count = texts.record.length
  if (!packed) return texts.loadSource(j).map((parts, v) => `${texts.record[v]}(${parts})`)
  return texts.record.map((type, v) => {
    const at = count > 1 ? `${count}u * ${j}${v ? ` + ${v}u` : ''}` : j
    return `packed[${at}]${type === 'vec2f' ? '.xy' : ''}`
  })
}

/** Declares the vectors of a source. */
export function declare(name: string, vectors: readonly string[]): string {
  return vectors.map((text, v) => `let ${vector(name, v)} = ${text};`).join('\n')
}

export const vector = (name: string, v: number): string => `${name}${v || ''}`

/** Visits the source in scope with all targets of the invocation. */
export function pairs(texts: Pick<PairTexts, 'pair'>, each: readonly number[]): readonly string[] {
  return each.map(
    (r) => wgsl`{
  ${texts.pair(r)}
}`,
  )
}

/** The index of step `u` within an iteration of an unrolled inner loop. */
export const stepOf = (u: number, { unroll }: Pick<LoopShape, 'unroll'>): string =>
  unroll > 1 ? `turn * ${unroll}u + ${u}u` : 'turn'
