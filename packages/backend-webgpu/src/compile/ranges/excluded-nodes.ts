/**
 * The nodes that contain a source which is excluded for any target of a workgroup, in WGSL. Such nodes are opened however far
 * they are, and the excluded pairs are skipped one by one.
 *
 * The set has a fixed number of bits. Nodes share a bit if their numbers differ by a multiple of this number. A node may
 * therefore be opened without need, which costs time and changes no result by more than the tolerance. Core's trees have exact
 * sets.
 *
 * @module
 */
import type { Field } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { childCount, leafPoints } from './opening-tree.ts'

const words = 256

export const nodeSetBytes: number = 4 * words

export const nodeSetFields: readonly Field[] = [
  { name: 'sourcePlaces', type: 'u32', note: 'where order has the place of each source' },
]

export const nodeSetFunctions: string = wgsl`
var<workgroup> excludedNodes: array<atomic<u32>, ${words}>;
fn opensExcluded(node: u32) -> bool {
  return ((atomicLoad(&excludedNodes[node / 32u % ${words}u]) >> (node % 32u)) & 1u) == 1u;
}
// Adds the nodes that contain a source, from its leaf to the root.
fn addExcluded(source: u32) {
  let place = order[run.sourcePlaces + source];
  var size = ${leafPoints}u;
  for (var level = 0u; level <= run.levels; level++) {
    let node = firstNodes[level] + place / size;
    atomicOr(&excludedNodes[node / 32u % ${words}u], 1u << (node % 32u));
    size *= ${childCount}u;
  }
}`

/** Fills the set for the targets of the workgroup `block`. */
export const fillNodeSet = (workgroup: number, targets: number): string => wgsl`
for (var word = lane; word < ${words}u; word += ${workgroup}u) { atomicStore(&excludedNodes[word], 0u); }
workgroupBarrier();
for (var place = block * ${targets}u + lane; place < min((block + 1u) * ${targets}u, run.targetCount); place += ${workgroup}u) {
  let point = order[place];
  for (var entry = exclusions_offsets[point]; entry < exclusions_offsets[point + 1u]; entry++) {
    addExcluded(exclusions_sources[entry]);
  }
}
workgroupBarrier();`
