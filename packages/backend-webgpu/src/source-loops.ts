/**
 * How sources reach the invocations of a pair loop, in WGSL: straight from storage, through workgroup memory, or from
 * the registers of a subgroup. Each loop visits `[firstSource, lastSource)` in ascending order; what a visit does with
 * its targets is handed in.
 *
 * @module
 */
import type { Fold } from './fold.ts'
import type { LoopShape } from './loop-shape.ts'
import type { PairTexts } from './pair-texts.ts'
import { indent } from './shader.ts'

export interface SourceLoop {
  readonly texts: PairTexts
  /** Looks at the sources of a step before they are visited, where that is cheaper. */
  readonly look: LookTexts | undefined
  readonly shape: LoopShape
  /** Targets of an invocation. */
  readonly each: readonly number[]
  /** Statements before and after a block of sources, whose sums are kept apart; empty where they are not. */
  readonly open: string
  readonly close: string
}

/** The look of a fold, with its pair written out. */
export interface LookTexts extends Omit<Required<Fold>['look'], 'pair'> {
  readonly texts: PairTexts
  readonly skipSelf: boolean
}

/** Whether a loop looks first: 32 sources at most have a bit each, and what settles in the end is for long loops. */
export const looksFirst = ({ staging, unroll, slices }: LoopShape, { settle }: LookTexts): boolean =>
  staging === 'workgroup' && unroll > 1 && unroll <= 32 && !(settle && slices > 1)

/** The loop over sources, by where they are held while they are visited. */
export const sourceLoops: Readonly<Record<LoopShape['staging'], (loop: SourceLoop) => string>> = {
  storage: fromStorage,
  workgroup: fromWorkgroup,
  subgroup: fromSubgroup,
}

/** Sources that a block sum holds where no tile gives the measure. */
export const blockLength = 256

function fromStorage({ texts, shape, each, open, close }: SourceLoop): string {
  const loop = (from: string, to: string) => `for (var j = ${from}; j < ${to}; j++) {
  ${indent(declare('source', loadSource(texts, shape, 'j')), 1)}
  ${indent(pairs(texts, each), 1)}
}`
  if (!shape.blocks) return loop('firstSource', 'lastSource')
  return `for (var start = firstSource; start < lastSource; start += ${blockLength}u) {
  let end = min(start + ${blockLength}u, lastSource);
  ${indent(open, 1)}
  ${indent(loop('start', 'end'), 1)}
  ${indent(close, 1)}
}`
}

/** Blocks of sources, a tile each, are loaded side by side into workgroup memory, from where all invocations read. */
function fromWorkgroup({ texts, look, shape, each, open, close }: SourceLoop): string {
  const { workgroup, slices, unroll } = shape
  const fromTile = (at: string) =>
    declare(
      'source',
      texts.record.map((_, v) => `tile${v}[${at}]`),
    )
  const visit = (at: string) => `{
  ${indent(fromTile(at), 1)}
  ${texts.needsIndex ? `let j = start + ${at};` : ''}
  ${indent(pairs(texts, each), 1)}
}`
  // Slices take turns, so that those of one subgroup read neighbouring places of the tile.
  const placeOf = (u: string) => (slices > 1 ? `(${stepOf(u, unroll)}) * ${slices}u + slice` : stepOf(u, unroll))
  const unrolled = Array.from({ length: unroll }, (_, u) => u)
  const looked = ({ texts: looks, open, close, skipSelf }: LookTexts) => [
    ...each.map(open),
    ...unrolled.map(
      (u) => `{
  let bit = ${2 ** u}u;
  ${indent(fromTile(placeOf(`${u}u`)), 1)}
  ${indent(pairs(looks, each), 1)}
}`,
    ),
    `let first = start + ${placeOf('0u')};`,
    ...each.map((r) => {
      const visit = (u: string) => `let at = ${placeOf(u)};
let j = start + at;
${fromTile('at')}
${texts.pair(r)}`
      return close(r, { first: 'first', sources: unroll, visit, skipSelf })
    }),
  ]
  const steps = look && looksFirst(shape, look) ? looked(look) : unrolled.map((u) => visit(placeOf(`${u}u`)))
  // Slices are for few workgroups, where nothing else hides that memory is far: the next tile is loaded ahead.
  const ahead = slices > 1
  const loadAhead = (declaration: string, at: string) => `${declaration}next = min(${at}, lastSource - 1u);
${loadSource(texts, shape, 'next')
  .map((text, v) => `${declaration}${vector('ahead', v)} = ${text};`)
  .join('\n')}`
  const stage = ahead
    ? texts.record.map((_, v) => `tile${v}[lane] = ${vector('ahead', v)};`).join('\n')
    : `if (start + lane < lastSource) {
  let j = start + lane;
  ${indent(
    loadSource(texts, shape, 'j').map((text, v) => `tile${v}[lane] = ${text};`),
    1,
  )}
}`
  const whole = `${open}
if (start + ${workgroup}u <= lastSource) {
  // A constant trip count and a step of 1 let the compiler prove the bounds of the tile.
  for (var turn = 0u; turn < ${workgroup / slices / unroll}u; turn++) {
    ${indent(steps, 2)}
  }
} else {
  for (var at = ${slices > 1 ? 'slice' : '0u'}; at < lastSource - start; ${slices > 1 ? `at += ${slices}u` : 'at++'}) {
    ${indent(visit('at'), 2)}
  }
}
${close}`
  const groups = `if (start + ${workgroup}u <= lastSource) {
  for (var g = 0u; g < ${workgroup / shape.group}u; g++) {
    let first = start + g * ${shape.group}u;
    ${indent(open, 2)}
    for (var turn = 0u; turn < ${shape.group / unroll}u; turn++) {
      ${indent(
        unrolled.map((u) => visit(`g * ${shape.group}u + ${stepOf(`${u}u`, unroll)}`)),
        3,
      )}
    }
    ${indent(close, 2)}
  }
} else {
  for (var first = start; first < lastSource; first += ${shape.group}u) {
    ${indent(open, 2)}
    for (var at = first - start; at < min(first + ${shape.group}u, lastSource) - start; at++) {
      ${indent(visit('at'), 3)}
    }
    ${indent(close, 2)}
  }
}`
  return `${ahead ? loadAhead('var ', 'firstSource + lane') : ''}
for (var start = firstSource; start < lastSource; start += ${workgroup}u) {
  workgroupBarrier();
  ${indent(stage, 1)}
  workgroupBarrier();
  ${ahead ? indent(loadAhead('', `start + ${workgroup}u + lane`), 1) : ''}
  ${indent(shape.group ? groups : whole, 1)}
}`
}

/** Each invocation of a subgroup loads one source and hands it to the others in turn: no workgroup memory, no barrier. */
function fromSubgroup({ texts, shape, each, open, close }: SourceLoop): string {
  const { workgroup, unroll } = shape
  const visit = (at: string) => `{
  ${indent(
    declare(
      'source',
      texts.record.map((_, v) => `subgroupShuffle(${vector('own', v)}, ${at})`),
    ),
    1,
  )}
  ${texts.needsIndex ? `let j = row + ${at};` : ''}
  ${indent(pairs(texts, each), 1)}
}`
  const steps = Array.from({ length: unroll }, (_, u) => visit(stepOf(`${u}u`, unroll)))
  const rows = (first: string, last: string) => `for (var row = ${first}; row < ${last}; row += subgroupSize) {
  // Beyond the last source that source is loaded again, and not visited.
  let next = min(row + subgroupLane, lastSource - 1u);
  ${indent(declare('own', loadSource(texts, shape, 'next')), 1)}
  if (row + subgroupSize <= lastSource) {
    for (var turn = 0u; turn < ${unroll > 1 ? `subgroupSize / ${unroll}u` : 'subgroupSize'}; turn++) {
      ${indent(steps, 3)}
    }
  } else {
    for (var at = 0u; at < lastSource - row; at++) {
      ${indent(visit('at'), 3)}
    }
  }
}`
  if (!open) return rows('firstSource', 'lastSource')
  return `for (var start = firstSource; start < lastSource; start += ${workgroup}u) {
  ${indent(open, 1)}
  ${indent(rows('start', `min(start + ${workgroup}u, lastSource)`), 1)}
  ${indent(close, 1)}
}`
}

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

/** All targets of the invocation, with the source in scope. */
function pairs(texts: PairTexts, each: readonly number[]): string {
  return each.map((r) => `{\n  ${indent(texts.pair(r), 1)}\n}`).join('\n')
}

const vector = (name: string, v: number) => `${name}${v || ''}`
const stepOf = (u: string, unroll: number) => (unroll > 1 ? `turn * ${unroll}u + ${u}` : 'turn')
