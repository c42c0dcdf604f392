/**
 * The second pass of neighbours by group minima, in WGSL: finds the k nearest sources of each target from the least term of
 * each group of sources. The k nearest sources lie in the k groups with the least minima, so only those groups are visited
 * again. The least terms of the parts of the grid give a first bound on the minima of those groups.
 *
 * @module
 */

import { targetsPerSelection } from '../../design/loop-shape.ts'
import type { Field, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { sharesOf } from '../../plans/thresholds.ts'
import { type Fold, largest, range } from '../folds/fold.ts'
import { groupCount, groupMinimum, partMinimum } from '../folds/group-minima.ts'
import { type RegisterList, registerList } from '../folds/list-fold.ts'
import { excludedFunction, type PairTexts } from '../parts/pair-texts.ts'
import { declare, loadSource } from '../parts/source-texts.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'
import { outputsOf } from './pair-loop.ts'

const members = targetsPerSelection
/** Number of groups or sources to mark before visiting the marked ones: one bit each. */
const marked = 32
/** Number of parts that are loaded together. */
const ahead = 8

export interface SelectionOptions {
  readonly k: number
  readonly targets: number
  /** Sources of a group. */
  readonly group: number
  /** Whether to skip the pair of a point with itself; the minimum of its group includes it. */
  readonly skipSelf: boolean
  readonly exclusions: boolean
  /** Statements that add earlier results; empty if there are none. */
  readonly resume: string
}

/** Fields in addition to those of every pair loop. */
const selectionFields: readonly Field[] = [
  { name: 'resultFirst', type: 'u32', note: 'number of results of earlier ranges of targets' },
]

/** Marks the sources with terms that may enter the list. */
export const markFold = (k: number): Pick<Fold, 'indexed' | 'pair'> => {
  const list = registerList(k)
  return {
    indexed: false,
    pair: (r, { terms }) =>
      `marks |= select(0u, 1u << u, ${terms[0]} <= min(bound, ${list.least(r, k - 1)}) && first + u < last);`,
  }
}

/** Declares `ceiling`, which bounds the minima of the nearest groups: the largest of as many least minima of parts. */
function ceiling(parts: number): string {
  const [places, loaded] = [range(parts), range(ahead)]
  const takeAt = (p: number, u: number) => {
    const value = p > 0 ? `max(part_${p - 1}, value_${u})` : `value_${u}`
    return `part_${p} = min(part_${p}, ${value});`
  }
  const take = (u: number) => places.map((p) => takeAt(parts - 1 - p, u)).join(' ')
  const load = (u: number) => {
    const value = partMinimum(`min(first + ${u}u, run.parts - 1u)`, 'column')
    return `let value_${u} = select(${largest}, ${value}, first + ${u}u < run.parts);`
  }
  return wgsl`${places.map((p) => `var part_${p} = ${largest};`).join(' ')}
for (var first = 0u; first < run.parts; first += ${ahead}u) {
  ${[...loaded.map(load), ...loaded.map(take)]}
}
let ceiling = part_${parts - 1};`
}

/** Merges the lists of the invocations that share a target; each of them gets the merged list. */
function merge(list: RegisterList, r: number, length: number, shares: number): string {
  const workgroup = members * shares
  const at = (q: string, lane: string) => `[${q} * ${workgroup}u + ${lane}]`
  const save = (p: number) => `shared_values${at(`${p}u`, 'lane')} = ${list.least(r, p)};
shared_places${at(`${p}u`, 'lane')} = ${list.source(r, p)};`
  return wgsl`${range(length).map(save)}
workgroupBarrier();
for (var turn = 1u; turn < ${shares}u; turn++) {
  let there = (lane + turn * ${members}u) % ${workgroup}u;
  for (var q = 0u; q < ${length}u; q++) {
    let value = shared_values${at('q', 'there')};
    let other = shared_places${at('q', 'there')};
    ${list.insert(r)}
  }
}
workgroupBarrier();`
}

export function selection(
  label: string,
  texts: { readonly pair: PairTexts; readonly mark: PairTexts },
  fold: Fold,
  { k, targets, group, skipSelf, exclusions, resume }: SelectionOptions,
  fields: readonly Field[],
): Shader {
  const shares = sharesOf(targets)
  const workgroup = members * shares
  // One more group, because a target is its own nearest source.
  const nearGroups = k + (skipSelf ? 1 : 0)
  const groupList = registerList(nearGroups)
  const sharedWords = workgroup * nearGroups
  const source = (pair: PairTexts) => declare('source', loadSource(pair, { packed: true }, 'j'))
  const minimum = (g: string) => groupMinimum(g, 'column')
  const visitMarked = (visit: string) => wgsl`while (marks != 0u) {
  let u = firstTrailingBit(marks);
  marks &= marks - 1u;
  ${visit}
}`
  const insertGroup = visitMarked(wgsl`let other = first + u;
let value = ${minimum('other')};
${groupList.insertLater(1)}`)
  const cursor = exclusions ? 'var cursor_0 = exclusions_offsets[i_0];' : ''
  const visitSource = visitMarked(wgsl`let j = first + u;
${source(texts.pair)}
${cursor}
${texts.pair.pair(0)}`)
  const last = groupList.least(1, nearGroups - 1)
  const nearest = range(nearGroups).map((p) => groupList.source(1, p))
  const functions = exclusions ? excludedFunction : ''
  const takeEarlier = resume
    ? wgsl`if (share == 0u) {
  ${resume}
}`
    : ''
  const body = wgsl`
var<workgroup> shared_values: array<f32, ${sharedWords}>;
var<workgroup> shared_places: array<u32, ${sharedWords}>;
${functions}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let share = lane / ${members}u;
  let place = (group.x + group.z * groups.x) * ${members}u + lane % ${members}u;
  let column = min(place, run.targetCount - 1u);
  let at_0 = run.resultFirst + column;
  let i_0 = run.targetFirst + column;
  ${texts.pair.loadTarget(0)}
  ${groupCount(group)}
  ${ceiling(nearGroups)}
  // Finds the groups with the least minima, in ascending order.
  ${groupList.declare(1)}
  for (var first = share * ${marked}u; first < groupCount; first += ${shares * marked}u) {
    var marks = 0u;
    for (var u = 0u; u < ${marked}u; u++) {
      let value = ${minimum('min(first + u, groupCount - 1u)')};
      marks |= select(0u, 1u << u, value < ${last} && value <= ceiling && first + u < groupCount);
    }
    ${insertGroup}
  }
  ${merge(groupList, 1, nearGroups, shares)}
  let bound = ${last};
  var nearest = array<u32, ${nearGroups}>(${nearest.join(', ')});
  // Visits the sources of these groups, starting with the nearest group.
  ${fold.declare(0)}
  ${takeEarlier}
  for (var p = share; p < ${nearGroups}u; p += ${shares}u) {
    if (nearest[p] >= groupCount) { break; }
    let firstSource = run.sourceFirst + nearest[p] * ${group}u;
    let last = min(firstSource + ${group}u, run.sourceLast);
    for (var first = firstSource; first < last; first += ${marked}u) {
      var marks = 0u;
      for (var u = 0u; u < ${Math.min(group, marked)}u; u++) {
        let j = min(first + u, last - 1u);
        ${source(texts.mark)}
        ${texts.mark.pair(0)}
      }
      ${visitSource}
    }
  }
  ${merge(registerList(k), 0, k, shares)}
  if (place < run.targetCount && share == 0u) {
    ${fold.finish(0, 'at_0', undefined)}
  }
}
`
  return shader(
    {
      label,
      resources: [...texts.pair.resources, packedArray('read'), ...outputsOf(fold, true)],
      fields: [...fields, ...selectionFields],
      workgroup,
      memory: 8 * sharedWords,
    },
    body,
  )
}
