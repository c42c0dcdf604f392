/**
 * The pair loop that meets each pair once (Newton's third law), in WGSL: for radial terms of symmetric laws in one set.
 *
 * Points are cut into blocks of one subgroup times `targets`. A workgroup is one subgroup: it holds block a in registers
 * and meets block a + offset, whose points go round the subgroup with the sums that they gather. Offsets go half way
 * round the ring of blocks, so that each pair of blocks meets once; block a meets itself pair by pair, both ways.
 * What a block gathers goes to the slot of its offset, what block a gathers to the slot of its part: no atomics.
 *
 * @module
 */
import { range } from '../folds/fold.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { pairs, vector } from '../parts/source-texts.ts'
import { turnRow } from '../plans/thresholds.ts'
import { type Field, type Shader, shader } from '../wgsl/shader.ts'
import { wgsl } from '../wgsl/wgsl.ts'

export interface OnceShape {
  /** Invocations of a subgroup, which is a workgroup. */
  readonly subgroup: number
  /** Targets of one invocation. */
  readonly targets: number
  /** Turns of the points round the subgroup per step of the inner loop: a divisor of its size. */
  readonly unroll: number
}

/** Fields of the uniform block of both shaders, before the bindings of the run. */
export const onceFields: readonly Field[] = [
  { name: 'targetFirst', type: 'u32', note: '0: all points are targets' },
  { name: 'targetCount', type: 'u32', note: 'points' },
  { name: 'parts', type: 'u32', note: 'slots of this round: one an offset, then one a workgroup of a block' },
  { name: 'carry', type: 'u32', note: '1 where results hold earlier rounds to go on from' },
  { name: 'blocks', type: 'u32', note: 'blocks of points, in a ring' },
  { name: 'offsetFirst', type: 'u32', note: 'offsets [offsetFirst, offsetLast) between blocks that meet' },
  { name: 'offsetLast', type: 'u32' },
  { name: 'perPart', type: 'u32', note: 'offsets of a workgroup, of the first longParts parts; of the others one' },
  { name: 'longParts', type: 'u32' },
]

/** A pair met once: the target adds along the displacement, the source against it. */
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
  { subgroup, targets, unroll }: OnceShape,
  run: readonly Field[],
): Shader {
  const { whole, tail } = texts
  const block = subgroup * targets
  const [each, axes] = [range(targets), range(width)]
  const vectors = whole.record.map((_, v) => vector('source', v))
  const pass = (name: string) => `${name} = subgroupShuffle(${name}, next);`
  const passBack = axes.map((c) => pass(`back${c}`))
  const meet = pairs(whole, each)
  const turnOnce = [...vectors.map(pass), ...passBack]
  // Points go from neighbour to neighbour; beside many targets it pays to fetch each from where it was loaded.
  const fetched = (at: string) => wgsl`{
  let holder = (lane + ${at}) % ${subgroup}u;
  ${vectors.map((v) => `let ${v} = subgroupShuffle(${v}, holder);`)}
  ${[...meet, ...passBack]}
}`
  const handedOn = [...meet, ...turnOnce]
  const turns = range(unroll).flatMap((u) =>
    turnRow(targets).fetched ? fetched(`turn * ${unroll}u + ${u}u`) : handedOn,
  )
  const points = each.map((r) => {
    return wgsl`// Point ${r} of this invocation; beyond the last, that one again, whose sums are not written.
let at_${r} = block * ${block}u + ${r * subgroup}u + lane;
let i_${r} = min(at_${r}, run.targetCount - 1u);
${whole.loadTarget(r)}
${axes.map((c) => `var sum${c}_${r} = 0.0;`).join(' ')}`
  })
  const loadRow = whole.loadSource('j').map((parts, v) => `var ${vectors[v]} = ${whole.record[v]}(${parts});`)
  const offsetSlot = (c: number) => slot('(offset - run.offsetFirst)', c, width, 'home')
  const saveBack = axes.map((c) => `${offsetSlot(c)} = bitcast<u32>(select(back${c}, 0.0, offset == 0u));`)
  const saveNothing = axes.map((c) => `${offsetSlot(c)} = 0u;`)
  const partSlot = (r: number, c: number) => slot('(run.offsetLast - run.offsetFirst + group.y)', c, width, `at_${r}`)
  const saveSums = each.map((r) => {
    return wgsl`if (at_${r} < run.targetCount) {
  ${axes.map((c) => `${partSlot(r, c)} = bitcast<u32>(sum${c}_${r});`)}
}`
  })
  const body = wgsl`
@compute @workgroup_size(${subgroup})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
  // Each pair of points is met once, by one of its blocks. A workgroup holds the points of its block in registers.
  let next = (lane + 1u) % ${subgroup}u;
  let block = group.x;
  ${points}
  // The last parts are short, so that all workgroups end at about the same time.
  let firstOffset = run.offsetFirst + min(group.y, run.longParts) * run.perPart + max(group.y, run.longParts) - run.longParts;
  let lastOffset = min(firstOffset + select(1u, run.perPart, group.y < run.longParts), run.offsetLast);
  for (var offset = firstOffset; offset < lastOffset; offset++) {
    // This block meets the block that stands offset places further on in the ring: at offset 0, itself.
    let other = (block + offset) % run.blocks;
    // Half way round an even ring, both blocks would meet each other.
    let met = 2u * offset == run.blocks && block >= offset;
    let whole = (max(block, other) + 1u) * ${block}u <= run.targetCount;
    for (var row = 0u; row < ${targets}u && !met; row++) {
      // A row of the other block, a point an invocation; what it gathers is in back. Both go round the subgroup.
      let firstSource = other * ${block}u + row * ${subgroup}u;
      let home = firstSource + lane;
      let j = min(home, run.targetCount - 1u);
      ${loadRow}
      ${axes.map((c) => `var back${c} = 0.0;`).join(' ')}
      if (whole) {
        // After a whole round, each point is back where it began.
        for (var turn = 0u; turn < ${subgroup / unroll}u; turn++) {
          ${turns}
        }
      } else {
        for (var turn = 0u; turn < ${subgroup}u; turn++) {
          let there = firstSource + (lane + turn) % ${subgroup}u;
          ${[...pairs(tail, each), ...turnOnce]}
        }
      }
      if (home < run.targetCount) {
        // Within one block, each pair is met from both sides: what it gathers here is in its sums already.
        ${saveBack}
      }
    }
    // The other block meets this one: the slot of this offset holds nothing.
    for (var row = 0u; row < ${targets}u && met; row++) {
      let home = other * ${block}u + row * ${subgroup}u + lane;
      if (home < run.targetCount) {
        ${saveNothing}
      }
    }
  }
  // What the points of this block gather goes to the slot of this workgroup, behind those of the offsets.
  ${saveSums}
}
`
  return shader(
    {
      label,
      resources: [...texts.whole.resources, { key: 'partial', access: 'read_write', type: 'u32' }],
      fields: [...onceFields, ...run],
      workgroup: subgroup,
      subgroups: true,
    },
    body,
  )
}

const slot = (index: string, component: number, width: number, at: string) =>
  `partial[(${index} * ${width}u + ${component}u) * run.targetCount + ${at}]`
