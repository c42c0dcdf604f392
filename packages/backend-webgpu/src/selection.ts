/**
 * The second pass of neighbours by group minima, in WGSL: from the least term of each group of sources to the k nearest
 * sources of each target. These lie in the k groups with the least minima, as each group holds a source that is no farther than
 * its minimum; only those groups are visited again. One invocation a target.
 *
 * @module
 */
import type { Fold } from './fold.ts'
import { registerList } from './list-fold.ts'
import { packedArray } from './pack.ts'
import { outputsOf } from './pair-loop.ts'
import { excludedFunction, type PairTexts } from './pair-texts.ts'
import { spread } from './recipe.ts'
import { type Field, indent, type Shader, shader } from './shader.ts'
import { declare, loadSource } from './source-loops.ts'

const workgroup = 32
/** Groups or sources that are marked, then visited: a bit each. */
const marked = 32

export interface SelectionOptions {
  readonly k: number
  /** Sources of a group. */
  readonly group: number
  /** Whether a target is no source of its own, though its group's minimum counts it. */
  readonly skipSelf: boolean
  readonly exclusions: boolean
  /** Goes on from earlier results. */
  readonly resume: string
}

/** Where results of a range of targets begin, beside the fields of every pair loop. */
const selectionFields: readonly Field[] = [
  { name: 'resultFirst', type: 'u32', note: 'results of earlier ranges of targets' },
]

/** Marks the pairs whose term may come into the list. */
export const markFold = (k: number): Pick<Fold, 'indexed' | 'pair'> => {
  const list = registerList(k)
  return {
    indexed: false,
    pair: (r, { terms }) =>
      `marks |= select(0u, 1u << u, ${terms[0]} <= min(bound, ${list.least(r, k - 1)}) && first + u < last);`,
  }
}

export function selection(
  label: string,
  texts: { readonly pair: PairTexts; readonly mark: PairTexts },
  fold: Fold,
  { k, group, skipSelf, exclusions, resume }: SelectionOptions,
  fields: readonly Field[],
): Shader {
  // One group more, as a target may be its own nearest.
  const nearGroups = k + (skipSelf ? 1 : 0)
  const groupList = registerList(nearGroups)
  const source = (pair: PairTexts) => declare('source', loadSource(pair, { packed: true }, 'j'))
  const minimum = (g: string) => `bitcast<f32>(partial[${g} * run.targetCount + column])`
  const visitMarked = (visit: string) => `while (marks != 0u) {
  let u = firstTrailingBit(marks);
  marks &= marks - 1u;
  ${indent(visit, 1)}
}`
  const body = `${exclusions ? excludedFunction : ''}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let column = (group.x + group.z * groups.x) * ${workgroup}u + lane;
  if (column >= run.targetCount) { return; }
  let at_0 = run.resultFirst + column;
  let i_0 = run.targetFirst + column;
  ${indent(texts.pair.loadTarget(0), 1)}
  // The groups with the least minima, in order.
  let groupCount = (run.sourceLast - run.sourceFirst + ${group - 1}u) / ${group}u;
  ${indent(groupList.declare(1), 1)}
  for (var first = 0u; first < groupCount; first += ${marked}u) {
    var marks = 0u;
    for (var u = 0u; u < ${marked}u; u++) {
      let value = ${minimum('min(first + u, groupCount - 1u)')};
      marks |= select(0u, 1u << u, value < ${groupList.least(1, nearGroups - 1)} && first + u < groupCount);
    }
    ${indent(
      visitMarked(`let other = first + u;
let value = ${minimum('other')};
${groupList.insert(1)}`),
      2,
    )}
  }
  let bound = ${groupList.least(1, nearGroups - 1)};
  var nearest = array<u32, ${nearGroups}>(${Array.from({ length: nearGroups }, (_, p) => groupList.source(1, p)).join(', ')});
  // Their sources, those of the nearest group first.
  ${indent(fold.declare(0), 1)}
  ${indent(resume, 1)}
  for (var p = 0u; p < ${nearGroups}u; p++) {
    if (nearest[p] >= groupCount) { break; }
    let firstSource = run.sourceFirst + nearest[p] * ${group}u;
    let last = min(firstSource + ${group}u, run.sourceLast);
    for (var first = firstSource; first < last; first += ${marked}u) {
      var marks = 0u;
      for (var u = 0u; u < ${Math.min(group, marked)}u; u++) {
        let j = min(first + u, last - 1u);
        ${indent([source(texts.mark), texts.mark.pair(0)], 4)}
      }
      ${indent(
        visitMarked(`let j = first + u;
${source(texts.pair)}
${exclusions ? 'var cursor_0 = exclusions_offsets[i_0];' : ''}
${texts.pair.pair(0)}`),
        3,
      )}
    }
  }
  ${indent(fold.finish(0, 'at_0', undefined), 1)}
}
`
  return shader(
    {
      label,
      resources: [...texts.pair.resources, packedArray('read'), ...outputsOf(fold, true)],
      fields: [...fields, ...selectionFields],
      workgroup,
    },
    body.replace(/^\s*\n/gm, ''),
  )
}

export const selectionGroups = (targets: number): readonly [number, number, number] => {
  const [x, z] = spread(Math.ceil(targets / workgroup))
  return [x, 1, z]
}
