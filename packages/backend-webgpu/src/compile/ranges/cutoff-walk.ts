/**
 * The walk for a cutoff, in WGSL: a workgroup descends the tree of boxes over the sources, tests one box per invocation, and
 * finds the blocks within reach of the box around its targets. Core's `walkWithin` does the same on a processor.
 *
 * The loops over levels are nested. Each level keeps only the nodes that one test has found in workgroup memory, so that no
 * stack or list can overflow.
 *
 * @module
 */

import { fanOut } from '../../design/block-tree.ts'
import type { Field } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { boxesField, emptyBox } from './boxes.ts'
import { type Narrowing, narrowingBytes, narrowingFields, narrowingFunctions, startNear } from './narrowing.ts'
import { insideOf, vectorOf } from './space.ts'

export interface WalkShape {
  readonly space: BoxSpace
  /** Number of invocations in the workgroup: a multiple of 32. */
  readonly workgroup: number
  /** Number of levels of the tree; the lowest is the blocks. */
  readonly levels: number
  /** Whether the reach depends on the size of coordinates. */
  readonly sized: boolean
  /** Whether the last number of the high corner of a box is the largest size of its points, which limits how far pairs reach. */
  readonly bySizes: boolean
  /** Set if the reach shrinks while sources are found (`narrowing.ts`). */
  readonly narrowing?: Narrowing | undefined
}

const perReach = '1 / the distance up to which the walk looks'
const ofSize = 'by how much a coordinate of 1 enlarges that distance'

export const walkFields = ({ space, sized, bySizes, narrowing }: WalkShape): readonly Field[] => [
  boxesField,
  { name: 'perReach', type: 'f32', note: narrowing ? `${perReach} at first; 0 if there is no cutoff` : perReach },
  ...(narrowing ? narrowingFields : []),
  ...(bySizes
    ? [{ name: 'leastShare', type: 'f32', note: 'how far points of no size reach, relative to it' } as const]
    : []),
  ...(sized
    ? [{ name: 'reachOfSize', type: 'f32', note: narrowing ? ofSize : `${ofSize}, relative to it` } as const]
    : []),
  ...lengthFields(space),
]

const words = ({ workgroup }: WalkShape) => workgroup / 32

/**
 * Number of blocks that are queued before they are taken, unless the walk ends. They come from some rounds, so that most rounds
 * of `take` are full.
 */
const enoughBlocks = ({ workgroup }: Pick<WalkShape, 'workgroup'>) => workgroup / 2
/** The most entries that a list may have. */
export const listLength = (shape: Pick<WalkShape, 'workgroup'>, level: number): number =>
  shape.workgroup + (level === 0 ? enoughBlocks(shape) - 1 : 0)

/** The most blocks that may be queued. */
export const mostQueued = (workgroup: number): number => listLength({ workgroup }, 0)

/** Bytes of workgroup memory of the walk. */
export const walkBytes = (shape: WalkShape): number =>
  4 * ((shape.levels - 1) * listLength(shape, 1) + listLength(shape, 0) + 2 * words(shape) + 1) +
  (shape.narrowing ? narrowingBytes(shape.narrowing) : 0)

const nearOf = (level: number) => `near${level}`

/** The variables and functions of the walk. */
export function walkFunctions(shape: WalkShape): string {
  const { space, levels, sized, bySizes, narrowing } = shape
  const { type, parts } = vectorOf(space)
  const [test, perReach, testTargets] = narrowing
    ? ['apart(a: Box, b: Box, perReach: f32)', 'perReach', narrowingFunctions(narrowing, vectorOf(space))]
    : ['beyond(a: Box, b: Box)', 'run.perReach', '']
  const near = Array.from(
    { length: levels },
    (_, n) => `var<workgroup> ${nearOf(n)}: array<u32, ${listLength(shape, n)}>;`,
  )
  const corner = (of: string) => `${of}.${parts}`
  const between = (a: string, b: string, images = '') => `${corner(`${b}.low`)}${images} - ${corner(`${a}.high`)}`
  const ofSize = narrowing ? 'run.reachOfSize * perReach' : 'run.reachOfSize'
  const ofPair = bySizes ? 'min(1.0, (a.high.w + b.high.w) * run.perReach + run.leastShare)' : '1.0'
  const reach = sized ? `${ofPair} + ${ofSize} * max(-a.low.w, -b.low.w)` : ofPair
  const nearest = space.periodic
    ? `\n// The nearest image may lie beyond a face.\ngap = min(gap, min(${between('a', 'b', ' + lengths()')}, ${between('b', 'a', ' + lengths()')}));`
    : ''
  return wgsl`
${near}
// One bit per invocation that keeps what it tests, for this test and for the one before.
var<workgroup> marks: array<atomic<u32>, ${2 * words(shape)}>;
var<workgroup> kept: u32;
${insideOf(space).functions}
struct Box {
  low: vec4f,
  high: vec4f,
}
fn boxAt(node: u32) -> Box { return Box(packed[run.boxes + 2u * node], packed[run.boxes + 2u * node + 1u]); }
// Whether no point of a box is within reach of any point of the other.
fn ${test} -> bool {
  var gap = max(${between('a', 'b')}, ${between('b', 'a')});${nearest}
  // Lengths are relative to the reach, so that no square underflows or, if it is less than that of 1e18, overflows.
  let share = clamp(gap * ${perReach}, ${type}(0.0), ${type}(1e18));
  let reach = ${reach};
  return dot(share, share) > reach * reach;
}
${testTargets}
// The place of an invocation among those that keep what they test. After the next barrier, kept is the number of these.
fn placeAmongKept(keeps: bool, lane: u32, turn: u32) -> u32 {
  let word = turn * ${words(shape)}u;
  if (keeps) { atomicOr(&marks[word + lane / 32u], 1u << (lane % 32u)); }
  workgroupBarrier();
  if (lane < ${words(shape)}u) { atomicStore(&marks[${words(shape)}u - word + lane], 0u); }
  var before = countOneBits(atomicLoad(&marks[word + lane / 32u]) & ((1u << (lane % 32u)) - 1u));
  var all = 0u;
  for (var n = 0u; n < ${words(shape)}u; n++) {
    let ones = countOneBits(atomicLoad(&marks[word + n]));
    before += select(0u, ones, n < lane / 32u);
    all += ones;
  }
  if (lane == 0u) { kept = all; }
  return before;
}`
}

/** Declares `around`, the box around some blocks of targets. */
export const boxAround = (first: string, blocks: number, last: string): string => wgsl`
var around = Box(${emptyBox('low')}, ${emptyBox('high')});
for (var n = 0u; n < ${blocks}u; n++) {
  let block = boxAt(min(${first} + n, ${last} - 1u));
  around.low = min(around.low, block.low);
  around.high = max(around.high, block.high);
}`

/** Tests one entry per invocation, and runs `keep` in the invocations that keep theirs. `found` is then the number of kept entries. */
export const tested = (keeps: string, keep: string, found: string): string => wgsl`
let keeps = ${keeps};
let place = placeAmongKept(keeps, lane, turn);
turn ^= 1u;
if (keeps) {
  ${keep}
}
let ${found} = workgroupUniformLoad(&kept);`

/**
 * The statements of the walk. A level descends to the nodes that one test has found. Blocks are queued until they are enough
 * for several rounds of `take`. After the last nodes, `flush` is true while each level runs once more and finds nothing, so
 * that `take` also gets a list that is not full.
 *
 * A walk with a shrinking reach starts with some near blocks. Each level then also runs once before the first nodes, so that
 * `take` gets these blocks.
 *
 * @param blocks the number of blocks
 * @param take statements that use the `queued` blocks in `near0`, which has their numbers; they use all of them if `flush`
 */
export function walk(shape: WalkShape, blocks: string, take: string): string {
  const { workgroup, levels, narrowing } = shape
  const counts = Array.from({ length: levels }, (_, n) =>
    n === 0
      ? `let nodes0 = ${blocks};\nlet first0 = 0u;`
      : `let nodes${n} = (nodes${n - 1} + ${fanOut - 1}u) / ${fanOut}u;\nlet first${n} = first${n - 1} + nodes${n - 1};`,
  )
  const level = (n: number): string => {
    const top = n === levels - 1
    const entry = `step${n} + lane`
    const [node, inside] = top
      ? [entry, `node < nodes${n}`]
      : [
          `${nearOf(n + 1)}[min((${entry}) / ${fanOut}u, ${workgroup - 1}u)] * ${fanOut}u + (${entry}) % ${fanOut}u`,
          `${entry} < found${n + 1} * ${fanOut}u && node < nodes${n}`,
        ]
    const taken = narrowing && n === 0 ? ' && node - startFirst >= startBlocks' : ''
    const test = (at: string) =>
      wgsl`let node = ${node};
${tested(`${inside}${taken} && !beyond(around, boxAt(first${n} + node))`, `${nearOf(n)}[${at}] = node;`, `found${n}`)}`
    const inner =
      n > 0
        ? wgsl`${test('place')}
${level(n - 1)}`
        : wgsl`${test('queued + place')}
queued += found0;
if (queued >= ${enoughBlocks(shape)}u || flush) {
  ${take}
  queued = 0u;
}`
    if (!top)
      return wgsl`for (var step${n} = 0u; step${n} < select(found${n + 1} * ${fanOut}u, 1u, flush); step${n} += ${workgroup}u) {
  ${inner}
}`
    return narrowing
      ? wgsl`// The first batch has no nodes.
for (var batch = 0u; batch < (nodes${n} + ${workgroup - 1}u) / ${workgroup}u + 2u; batch++) {
  let step${n} = (batch - 1u) * ${workgroup}u;
  flush = step${n} >= nodes${n};
  ${inner}
}`
      : wgsl`for (var step${n} = 0u; !flush; step${n} += ${workgroup}u) {
  flush = step${n} >= nodes${n};
  ${inner}
}`
  }
  const start = narrowing ? startNear(shape, narrowing, nearOf(0)) : ''
  return wgsl`${counts}
if (lane < ${2 * words(shape)}u) { atomicStore(&marks[lane], 0u); }
workgroupBarrier();
var turn = 0u;
var queued = 0u;
var flush = false;
${start}
${level(levels - 1)}`
}
