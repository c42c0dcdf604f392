/**
 * The inner loops of `pairs-once-loop.ts`: how the points of an invocation meet a row of points that goes round the subgroup.
 *
 * An unrolled loop has variables for each point and a text for each pair, so that all stays in registers. A rolled loop visits
 * one text in loops. Both do the same operations in the same order.
 *
 * @module
 */

import type { OnceShape } from '../../design/loop-shape.ts'
import type { Field } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import { type PairTexts, vector } from './pair-texts.ts'
import { pairs } from './source-texts.ts'

/** Further fields of the uniform block of rolled loops. */
export const rolledFields: readonly Field[] = [
  { name: 'rows', type: 'u32', note: 'points of each invocation' },
  { name: 'turns', type: 'u32', note: 'turns of the points round the subgroup' },
]

export interface TurnOptions {
  /** For blocks that are full. */
  readonly whole: PairTexts
  /** For blocks that are not full: it tests each pair. */
  readonly tail: PairTexts
  /** Components of a sum. */
  readonly width: number
  readonly shape: OnceShape
  /** Whether a lane fetches each point from the lane that loaded it, instead of from its neighbour: faster with many targets. */
  readonly fetched: boolean
  /** The slot for component `c` of the sum of the point at `at`. */
  readonly partSlot: (at: string, c: number) => string
}

export interface OnceTurns {
  /** Declares the points of the invocation and their sums. */
  readonly points: readonly string[]
  /** Meets the row in scope. Afterwards its points are back in their lanes. */
  readonly turns: string
  /** Saves the sums. */
  readonly sums: readonly string[]
}

export function unrolledTurns(options: TurnOptions): OnceTurns {
  const { whole, tail, width, shape, fetched } = options
  const { subgroup, targets, unroll } = shape
  const [each, axes] = [range(targets), range(width)]
  const meet = pairs(whole, each)
  const { source, back } = passed(options)
  const fetch = (at: string) => wgsl`{
  let holder = (lane + ${at}) % ${subgroup}u;
  ${vectorsOf(whole).map((v) => `let ${v} = subgroupShuffle(${v}, holder);`)}
  ${[...meet, ...back]}
}`
  const handOn = [...meet, ...source, ...back]
  const turns = range(unroll).flatMap((u) => (fetched ? fetch(`turn * ${unroll}u + ${u}u`) : handOn))
  return {
    points: each.map(
      (
        r,
      ) => wgsl`// Point ${r} of this invocation. Beyond the last point it is the last again, and its sums are not written.
${place(r, `${r * subgroup}u`, shape)}
${whole.loadTarget(r)}
${axes.map((c) => `var sum${c}_${r} = 0.0;`).join(' ')}`,
    ),
    turns: wgsl`if (whole) {
  // After a whole round, each point is back in the lane that loaded it.
  for (var turn = 0u; turn < ${subgroup / unroll}u; turn++) {
    ${turns}
  }
} else {
  for (var turn = 0u; turn < ${subgroup}u; turn++) {
    let there = firstSource + (lane + turn) % ${subgroup}u;
    ${[...pairs(tail, each), ...source, ...back]}
  }
}`,
    sums: each.map((r) => saved(options, r, (c) => `sum${c}_${r}`)),
  }
}

export function rolledTurns(options: TurnOptions): OnceTurns {
  const { whole, tail, width, shape } = options
  const { subgroup, targets } = shape
  const axes = range(width)
  const { source, back } = passed(options)
  const at = place(0, `point * ${subgroup}u`, shape)
  return {
    points: [`var sums: array<array<f32, ${width}>, ${targets}>;`],
    turns: wgsl`for (var turn = 0u; turn < run.turns; turn++) {
  let there = firstSource + (lane + turn) % ${subgroup}u;
  for (var point = 0u; point < run.rows; point++) {
    ${at}
    ${whole.loadTarget(0)}
    ${axes.map((c) => `var sum${c}_0 = sums[point][${c}];`).join(' ')}
    ${tail.pair(0)}
    ${axes.map((c) => `sums[point][${c}] = sum${c}_0;`).join(' ')}
  }
  ${[...source, ...back]}
}`,
    sums: [
      wgsl`for (var point = 0u; point < run.rows; point++) {
  ${at}
  ${saved(options, 0, (c) => `sums[point][${c}]`)}
}`,
    ],
  }
}

/** The index of point `r` of the invocation. */
const place = (r: number, within: string, { subgroup, targets }: OnceShape) =>
  `let at_${r} = block * ${subgroup * targets}u + ${within} + lane;
let i_${r} = min(at_${r}, run.targetCount - 1u);`

function saved({ width, partSlot }: TurnOptions, r: number, sum: (c: number) => string): string {
  return wgsl`if (at_${r} < run.targetCount) {
  ${range(width).map((c) => `${partSlot(`at_${r}`, c)} = bitcast<u32>(${sum(c)});`)}
}`
}

/** Hands the points of a row and their sums on to the next lane. */
function passed({ whole, width }: TurnOptions): {
  readonly source: readonly string[]
  readonly back: readonly string[]
} {
  const pass = (name: string) => `${name} = subgroupShuffle(${name}, next);`
  return { source: vectorsOf(whole).map(pass), back: range(width).map((c) => pass(`back${c}`)) }
}

const vectorsOf = ({ record }: PairTexts) => record.map((_, v) => vector('source', v))
