/**
 * How far a node must be to be replaced by its proxies, in WGSL, by the formulas of core's `nodeReaches` and `nodeFields`: by
 * its edges alone, or by its weight and the field of the weights around the targets.
 *
 * The field of a workgroup's targets has two parts, at the centre of the box around them. One is the field of all nodes beside
 * its path to the root. The other is the field of the targets themselves, without the heaviest one. Units of length and weight
 * cancel, so neither is needed.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { edgePower, fieldPower, widest2 } from '@manybody/core/far'
import type { Field } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { childCount, leafPoints, mostLevels } from './opening-tree.ts'
import { vectorOf } from './space.ts'

/**
 * Where nodes are in `packed`. From `boxes` on, each has two vectors: the corners of its box. If fields are needed, the fourth
 * number of the second corner is the node's share of all weight. In a leaf, the fourth number of the first corner is the share
 * without its heaviest source.
 *
 * From `openings` on, each has two vectors for a walk: the centre of the box with the reach of the node, and the centre of its
 * weight with the square of its radius.
 */
export const nodeFields: readonly Field[] = [
  { name: 'boxes', type: 'u32', note: 'where the two corners of each node start in packed' },
  { name: 'openings', type: 'u32', note: 'where the two vectors of each node start that a walk reads' },
]

/** Squared radii of coincident points, and shares of nodes without weight: powers of them are finite in float32. */
const least = '1e-30'

/** Declares `reach` from the `half` edges of a node, its `share` of all weight, and `weighs`, whether there is any weight. */
export function nodeReach(dimension: Dimension, byField: boolean): string {
  const { type, parts } = vectorOf({ dimension, periodic: false })
  const longest = [...parts].map((axis) => `half.${axis}`).reduce((a, b) => `max(${a}, ${b})`)
  const byWeight = wgsl`let byWeight = pow(max(dot(half, half), ${least}), ${1 - fieldPower}) * pow(max(share, ${least}), ${fieldPower});
let reach = select(byEdges, byWeight, weighs);`
  const chosen = byField ? byWeight : 'let reach = byEdges;'
  return wgsl`let longest = max(${longest}, 1e-18);
let edges = pow(half / longest, ${type}(${edgePower}.0));
let byEdges = ${dimension}.0 * longest * longest * pow(dot(edges, ${type}(${1 / dimension})), ${2 / edgePower});
${chosen}`
}

/** Whether a node is far at the squared distance `nearest`. A comparison with NaN is false, so a node that is not finite is near. */
export function isFar(byField: boolean): string {
  const rule = 'box.w < opening2 * nearest'
  return byField ? `${rule} && weight.w < ${widest2} * nearest` : rule
}

export const fieldBytes: number = 4 * mostLevels

/** The field of the nodes on each level. */
export const fieldVariables: string = wgsl`
var<workgroup> fields: array<f32, ${mostLevels}>;`

/**
 * Declares `opening2`, the square of the opening for the targets of the workgroup `block`. These are the sources at the same
 * places. The box around them has the centre `around` and half the edges `halfAround`. They are in children of one node.
 */
export function targetField(dimension: Dimension, targets: number): string {
  const { parts } = vectorOf({ dimension, periodic: false })
  return wgsl`
if (lane < run.levels) {
  let start = block * ${targets}u;
  let size = ${leafPoints}u << (${Math.log2(childCount)}u * lane);
  let siblings = (start >> (${Math.log2(leafPoints * childCount)}u + ${Math.log2(childCount)}u * lane)) * ${childCount}u;
  var sum = 0.0;
  var heaviest = 0.0;
  for (var n = 0u; n < ${childCount}u; n++) {
    let own = (siblings + n) * size < start + ${targets}u && start < (siblings + n + 1u) * size;
    let node = firstNodes[lane] + siblings + n;
    let weight = packed[run.openings + 2u * node + 1u];
    let apart = weight.${parts} - around;
    let apart2 = select(dot(apart, apart) + weight.w, dot(halfAround, halfAround), own);
    var share = packed[run.boxes + 2u * node + 1u].w;
    if (own) {
      // The heaviest of the targets does not act on itself, so it has the field of the others alone.
      let others = packed[run.boxes + 2u * node].w;
      let heavy = share - others;
      share = others + min(heavy, heaviest);
      heaviest = max(heavy, heaviest);
    }
    let field = share / max(apart2, ${least});
    // Only leaves have the targets themselves. Points that are not finite have no field.
    if (field > 0.0 && !(own && lane > 0u)) { sum += field; }
  }
  fields[lane] = sum;
}
workgroupBarrier();
var field = 0.0;
for (var level = 0u; level < run.levels; level++) { field += fields[level]; }
let opening2 = run.opening2 * select(1.0, pow(field, ${fieldPower}), field > 0.0);`
}
