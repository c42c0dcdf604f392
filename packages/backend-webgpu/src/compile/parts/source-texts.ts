/**
 * A source in a pair loop, as WGSL: loading and declaring its vectors, and visiting it with the targets of an invocation.
 *
 * @module
 */

import type { LoopShape } from '../../design/loop-shape.ts'
import { plus, wgsl } from '../../design/wgsl.ts'
import { type PairTexts, vector } from './pair-texts.ts'

/** The vectors of the source at index `j`, as expressions. */
export function loadSource(texts: PairTexts, { packed }: Pick<LoopShape, 'packed'>, j: string): readonly string[] {
  const { record } = texts
  if (!packed) return texts.loadSource(j).map((parts, v) => `${record[v]}(${parts})`)
  return record.map((type, v) => {
    const numbers = packedVector(record, v, j)
    return type === 'vec2f' ? `${numbers}.xy` : numbers
  })
}

/** Writes the vectors of a source to place `at` of the packed sources. */
export function storeSource(
  { record }: Pick<PairTexts, 'record'>,
  vectors: readonly string[],
  at: string,
): readonly string[] {
  return vectors.map((parts, v) => {
    const numbers = record[v] === 'vec2f' ? `${parts}, 0.0, 0.0` : parts
    return `${packedVector(record, v, at)} = vec4f(${numbers});`
  })
}

/** Vector `v` of the packed source at `j`. */
function packedVector({ length }: PairTexts['record'], v: number, j: string): string {
  const first = length > 1 ? `${length}u * ${j}` : j
  return `packed[${plus(first, v)}]`
}

/** Indices are packed as numbers that are neither subnormal, which devices may take for 0, nor NaN. */
const leastBits = '0x00800000u'

/** Writes the index of a source into the unused number of its vector at place `at`. */
export const storeIndex = (j: string, at: string): string => `packed[${at}].w = bitcast<f32>(${j} + ${leastBits});`

/** That index. */
export const packedIndex = (at: string): string => `bitcast<u32>(packed[${at}].w) - ${leastBits}`

/** Declares the vectors of a source. */
export function declare(name: string, vectors: readonly string[]): string {
  return vectors.map((text, v) => `let ${vector(name, v)} = ${text};`).join('\n')
}

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
