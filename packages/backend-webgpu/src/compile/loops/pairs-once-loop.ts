/**
 * The pair loop that meets each pair once (Newton's third law), in WGSL: for radial terms of symmetric laws within one set.
 *
 * Points are divided into a ring of blocks, each of `targets` points per invocation of a subgroup. A workgroup is one subgroup.
 * It holds block a in registers and meets the blocks a + offset. The points of the other block go round the subgroup together
 * with the sums that they gather. Offsets reach half way round the ring, so that each pair of blocks meets once. At offset 0,
 * block a meets itself, and each of its pairs is computed from both sides.
 *
 * Sums of the other block go to the slot of the offset, sums of block a to the slot of the workgroup, so no atomics are needed.
 * `once-turns.ts` writes the code for one turn round the subgroup.
 *
 * @module
 */

import type { OnceShape } from '../../design/loop-shape.ts'
import type { Field, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { turnRow } from '../../plans/thresholds.ts'
import { range } from '../folds/fold.ts'
import { rolledFields, rolledTurns, unrolledTurns } from '../parts/once-turns.ts'
import { type PairTexts, vector } from '../parts/pair-texts.ts'
import { shader } from '../wgsl/shader.ts'

/** Fields of the uniform block of the loop and of its second reduction, before the bindings of the run. */
export const onceFields: readonly Field[] = [
  { name: 'targetFirst', type: 'u32', note: '0, because all points are targets' },
  { name: 'targetCount', type: 'u32', note: 'number of points' },
  { name: 'parts', type: 'u32', note: 'slots of this round: one per offset, then one per workgroup of a block' },
  { name: 'carry', type: 'u32', note: '1 if the results contain earlier rounds to continue from' },
  { name: 'blocks', type: 'u32', note: 'number of blocks of points in the ring' },
  { name: 'offsetFirst', type: 'u32', note: 'offsets [offsetFirst, offsetLast) between blocks that meet' },
  { name: 'offsetLast', type: 'u32' },
  { name: 'perPart', type: 'u32', note: 'offsets of each of the first longParts workgroups; the others have one' },
  { name: 'longParts', type: 'u32' },
]

/** The fold of a pair that is met once: the target adds along the displacement, the source against it. */
export function onceFold(width: number): {
  readonly indexed: boolean
  readonly pair: (
    r: number,
    texts: {
      readonly terms: readonly string[]
      readonly along: readonly string[] | undefined
      readonly keep: string | undefined
    },
  ) => string
} {
  return {
    indexed: false,
    pair: (r, { terms: [there = '', back = ''], along = [], keep }) => {
      const masked = (term: string) => (keep ? `select(0.0, ${term}, ${keep})` : term)
      const axes = along.slice(0, width)
      return [
        `let w = ${masked(there)};`,
        there === back ? 'let v = w;' : `let v = ${masked(back)};`,
        ...axes.map((d, c) => `sum${c}_${r} += w * ${d}; back${c} -= v * ${d};`),
      ].join('\n')
    },
  }
}

export function pairsOnceLoop(
  label: string,
  texts: { readonly whole: PairTexts; readonly tail: PairTexts },
  width: number,
  shape: OnceShape,
  run: readonly Field[],
): Shader {
  const { whole } = texts
  const { subgroup, targets, unroll } = shape
  const block = subgroup * targets
  const axes = range(width)
  const vectors = whole.record.map((_, v) => vector('source', v))
  const partSlot = (at: string, c: number) => slot('(run.offsetLast - run.offsetFirst + group.y)', c, width, at)
  const rolled = unroll === 0
  const { fetched } = turnRow(targets)
  const { points, turns, sums } = (rolled ? rolledTurns : unrolledTurns)({ ...texts, width, shape, fetched, partSlot })
  const rows = rolled ? 'run.rows' : `${targets}u`
  const loadRow = whole.loadSource('j').map((parts, v) => `var ${vectors[v]} = ${whole.record[v]}(${parts});`)
  const offsetSlot = (c: number) => slot('(offset - run.offsetFirst)', c, width, 'home')
  const saveBack = axes.map((c) => `${offsetSlot(c)} = bitcast<u32>(select(back${c}, 0.0, offset == 0u));`)
  const saveNothing = axes.map((c) => `${offsetSlot(c)} = 0u;`)
  const body = wgsl`
@compute @workgroup_size(${subgroup})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
  // For each pair of blocks, one meets the other. A workgroup holds the points of its block in registers.
  let next = (lane + 1u) % ${subgroup}u;
  let block = group.x;
  ${points}
  // The last parts are short, so that all workgroups finish at about the same time.
  let firstOffset = run.offsetFirst + min(group.y, run.longParts) * run.perPart + max(group.y, run.longParts) - run.longParts;
  let lastOffset = min(firstOffset + select(1u, run.perPart, group.y < run.longParts), run.offsetLast);
  for (var offset = firstOffset; offset < lastOffset; offset++) {
    // This block meets the block that is offset places ahead in the ring: itself at offset 0.
    let other = (block + offset) % run.blocks;
    // Half way round an even ring both blocks would meet each other, so one of the two skips it.
    let met = 2u * offset == run.blocks && block >= offset;
    let whole = (max(block, other) + 1u) * ${block}u <= run.targetCount;
    for (var row = 0u; row < ${rows} && !met; row++) {
      // Each invocation loads one point of a row of the other block. The points go round the subgroup with their sums, back.
      let firstSource = other * ${block}u + row * ${subgroup}u;
      let home = firstSource + lane;
      let j = min(home, run.targetCount - 1u);
      ${loadRow}
      ${axes.map((c) => `var back${c} = 0.0;`).join(' ')}
      ${turns}
      if (home < run.targetCount) {
        // Within one block each pair is computed from both sides, so these sums are counted already and 0 is saved.
        ${saveBack}
      }
    }
    // The other block meets this one, so the slot of this offset stays 0.
    for (var row = 0u; row < ${rows} && met; row++) {
      let home = other * ${block}u + row * ${subgroup}u + lane;
      if (home < run.targetCount) {
        ${saveNothing}
      }
    }
  }
  // The sums of this block go to the slot of this workgroup, after the slots of the offsets.
  ${sums}
}
`
  return shader(
    {
      label,
      resources: [...texts.whole.resources, { key: 'partial', access: 'read_write', type: 'u32' }],
      fields: [...onceFields, ...(rolled ? rolledFields : []), ...run],
      workgroup: subgroup,
      subgroups: true,
    },
    body,
  )
}

const slot = (index: string, component: number, width: number, at: string) =>
  `partial[(${index} * ${width}u + ${component}u) * run.targetCount + ${at}]`
