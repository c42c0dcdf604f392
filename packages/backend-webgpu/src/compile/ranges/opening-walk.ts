/**
 * The walk for sums with a tolerance, in WGSL: a workgroup descends the tree over the sources and tests one node per
 * invocation. Far nodes are replaced by their proxies, and leaves that are not far are taken as their points. Core's
 * `walkOpening` does the same on a processor.
 *
 * Opened nodes wait on a stack. Each round takes the last 16 and tests their children. The children are on a lower level than
 * all nodes left on the stack, so each level has at most one round of nodes there, and it cannot overflow.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import type { Field } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { isFar, nodeFields } from './opening-rule.ts'
import { childCount, leafPoints, mostLevels, mostNodes } from './opening-tree.ts'
import { vectorOf } from './space.ts'

export interface OpeningShape {
  readonly dimension: Dimension
  /** Number of invocations in the workgroup: a multiple of 32. */
  readonly workgroup: number
  /** The level where the walk starts, counted from the leaves. */
  readonly start: number
  /** Whether nodes with excluded sources are opened. Such a walk needs the functions of `excluded-nodes.ts`. */
  readonly exclusions: boolean
  /** Whether nodes are opened by the field of the targets, and not by their edges alone. */
  readonly byField: boolean
}

export const openingFields: readonly Field[] = [
  ...nodeFields,
  { name: 'opening2', type: 'f32', note: 'the square of the radius of a node by its distance up to which it is far' },
  { name: 'levels', type: 'u32', note: 'number of levels of the tree below its root' },
  { name: 'leaves', type: 'u32', note: 'the first nodes are the leaves' },
  { name: 'proxied', type: 'u32', note: 'the first node that has proxies' },
  { name: 'startFirst', type: 'u32', note: 'the first node from which the walk starts' },
  { name: 'startCount', type: 'u32', note: 'number of these nodes: a multiple of four' },
]

const words = ({ workgroup }: OpeningShape) => workgroup / 32
const stackLength = ({ workgroup, start }: OpeningShape) => workgroup * start + workgroup / childCount

/** The outcomes of a test of a node. Each has a list. */
const kinds = ['opened', 'near', 'far'] as const

/** @param queue number of nodes in each of the two queues */
export const openingBytes = (shape: OpeningShape, queue: number): number =>
  4 * (stackLength(shape) + 2 * queue + 2 * kinds.length * words(shape) + mostLevels) + 16

/** The variables of the walk: near leaves are in the first half of `queue`, far nodes in the second. */
export function openingVariables(shape: OpeningShape, queue: number): string {
  return wgsl`
// The first children of opened nodes, with their level in the upper bits.
var<workgroup> stack: array<u32, ${stackLength(shape)}>;
var<workgroup> queue: array<u32, ${2 * queue}>;
// One bit per invocation for each thing that may be done with a node, for this round and for the one before.
var<workgroup> marks: array<atomic<u32>, ${2 * kinds.length * words(shape)}>;
var<workgroup> kept: vec4u;
// The first node of each level.
var<workgroup> firstNodes: array<u32, ${mostLevels}>;
// The first child of a node, with its level.
fn childrenOf(node: u32, level: u32) -> u32 {
  let below = max(level, 1u) - 1u;
  return ${mostNodes}u * below + firstNodes[below] + ${childCount}u * (node - firstNodes[level]);
}`
}

/** Finds the first node of each level. A barrier must follow. */
export const findLevels: string = wgsl`
if (lane < ${mostLevels}u) {
  var first = 0u;
  var nodes = (run.sourceCount + ${leafPoints - 1}u) / ${leafPoints}u;
  for (var level = 0u; level < min(lane, run.levels); level++) {
    nodes = (nodes + ${childCount - 1}u) / ${childCount}u;
    first += ${childCount}u * nodes;
  }
  firstNodes[lane] = first;
}`

/**
 * The statements of the walk. After each round, `queuedNear` and `queuedFar` nodes are queued. `take` must take them if they
 * are enough, or if `last` is true.
 *
 * @param queue number of nodes in each queue
 */
export function openingWalk(shape: OpeningShape, queue: number, take: string): string {
  const { dimension, workgroup, exclusions, byField, start } = shape
  const { type, parts } = vectorOf({ dimension, periodic: false })
  const bits = kinds.length * words(shape)
  const unlessExcluded = exclusions ? ' && !opensExcluded(node)' : ''
  const rank = kinds.map(
    (kind, k) => wgsl`
if (${kind}) { atomicOr(&marks[turn + ${k * words(shape)}u + lane / 32u], 1u << (lane % 32u)); }`,
  )
  const count = kinds.map((kind, k) => {
    const word = (w: number) => `atomicLoad(&marks[turn + ${k * words(shape) + w}u])`
    const all = Array.from({ length: words(shape) }, (_, w) => `let ${kind}${w} = countOneBits(${word(w)});`)
    const sum = Array.from({ length: words(shape) }, (_, w) => `${kind}${w}`).join(' + ')
    const before = Array.from({ length: words(shape) - 1 }, (_, w) => `select(0u, ${kind}${w}, lane / 32u > ${w}u)`)
    return wgsl`
${all}
let ${kind}All = ${sum};
let ${kind}At = ${[`countOneBits(atomicLoad(&marks[turn + ${k * words(shape)}u + lane / 32u]) & below)`, ...before].join(' + ')};`
  })
  return wgsl`
if (lane < ${2 * bits}u) { atomicStore(&marks[lane], 0u); }
var depth = run.startCount / ${childCount}u;
if (lane < depth) { stack[lane] = ${start * mostNodes}u + run.startFirst + ${childCount}u * lane; }
let below = (1u << (lane % 32u)) - 1u;
var turn = 0u;
var queuedNear = 0u;
var queuedFar = 0u;
var last = false;
workgroupBarrier();
while (!last) {
  let taken = min(depth, ${workgroup / childCount}u);
  depth -= taken;
  var opened = false;
  var near = false;
  var far = false;
  var node = 0u;
  var children = 0u;
  if (lane < ${childCount}u * taken) {
    let entry = stack[depth + lane / ${childCount}u];
    let level = entry / ${mostNodes}u;
    node = entry % ${mostNodes}u + lane % ${childCount}u;
    let box = packed[run.openings + 2u * node];
    let weight = packed[run.openings + 2u * node + 1u];
    let apart = max(abs(box.${parts} - around) - halfAround, ${type}(0.0));
    let weightApart = max(abs(weight.${parts} - around) - halfAround, ${type}(0.0));
    let nearest = min(dot(apart, apart), dot(weightApart, weightApart));
    let holds = !(box.w < 0.0);
    far = holds && ${isFar(byField)} && node >= run.proxied${unlessExcluded};
    near = holds && !far && node < run.leaves;
    opened = holds && !far && node >= run.leaves;
    children = childrenOf(node, level);
  }
  ${rank}
  workgroupBarrier();
  ${count}
  // Clears the marks of the next round.
  if (lane < ${bits}u) { atomicStore(&marks[${bits}u - turn + lane], 0u); }
  if (opened) { stack[depth + openedAt] = children; }
  if (near) { queue[queuedNear + nearAt] = node; }
  if (far) { queue[${queue}u + queuedFar + farAt] = node; }
  if (lane == 0u) { kept = vec4u(openedAll, nearAll, farAll, 0u); }
  let found = workgroupUniformLoad(&kept);
  turn = ${bits}u - turn;
  depth += found.x;
  queuedNear += found.y;
  queuedFar += found.z;
  last = depth == 0u;
  ${take}
}`
}
