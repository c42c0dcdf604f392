/**
 * A reach that shrinks during a walk, in WGSL: to the farthest source that a target of the workgroup still keeps. So `nearest`
 * needs no cutoff.
 *
 * If targets are far from each other, the box around them contains many sources that are near none of them. So a walk that has
 * met many sources also tests nodes and sources with each target and its own reach.
 *
 * The walk starts with some blocks of sources near the targets, so that the reach is short before the first node is tested. In
 * one set, these are the blocks before and after the targets' own. Otherwise a descent to the nearest node of each level ends
 * at a block, and they are the blocks around it. This choice is a hint. Nodes are left out only if they are beyond the reach.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import { fanOut } from '../../design/block-tree.ts'
import type { Field } from '../../design/shader.ts'
import type { BoxSpace } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { insideOf, type VectorText, vectorOf } from './space.ts'

export interface Narrowing {
  /** The power of the distance that a target keeps. */
  readonly power: 1 | 2
  /** Number of sources that targets keep. */
  readonly kept: number
  /** Number of targets of a workgroup, one for each invocation of the first slice. */
  readonly targets: number
  /** Number of blocks at the start of the walk. */
  readonly blocks: number
  /** Number of blocks of targets of a workgroup, if these are also the sources, with the same places. */
  readonly ownBlocks: number | undefined
  /** How many of several equal sources targets need; undefined if they may need all. */
  readonly neededOfEqual: number | undefined
}

/** The walk. */
interface Walked {
  readonly space: BoxSpace
  readonly workgroup: number
  readonly levels: number
}

export const narrowingFields: readonly Field[] = [
  { name: 'slope', type: 'f32', note: 'a source at a distance d is within the reach slope * d + start' },
  { name: 'start', type: 'f32' },
]

/** Bytes of workgroup memory. */
export const narrowingBytes = ({ targets }: Narrowing): number => 4 * 4 + 16 * targets

/** A walk that has met more sources than this tests each target. */
const many = (kept: number) => 512 + 16 * kept

/** The variables of the walk, and its test of a box. */
export function narrowingFunctions({ targets, neededOfEqual }: Narrowing, { parts, extended }: VectorText): string {
  const [unneeded, why] =
    neededOfEqual === undefined ? ['', ''] : [' || box.high.w < 0.0', ', or other equal points are enough']
  return wgsl`
// 1 / the distance up to which the walk looks. It grows.
var<private> perReach: f32;
// Whether each target is tested.
var<private> oneByOne: bool;
// The targets inside the periodic box, and the same number for each.
var<workgroup> spots: array<vec4f, ${targets}>;
// The farthest value that any target keeps, for this tile and for the next one, as bits that ascend like the numbers.
var<workgroup> farthest: array<atomic<u32>, 2>;
// The nearest node of a level: the bits of its distance, and its number.
var<workgroup> nearest: array<atomic<u32>, 2>;
// Whether no point of the box is within reach of any target${why}.
fn beyond(around: Box, box: Box) -> bool {
  if (apart(around, box, perReach)${unneeded}) { return true; }
  if (!oneByOne) { return false; }
  for (var n = 0u; n < ${targets}u; n++) {
    let spot = spots[n];
    let alone = Box(${extended(`spot.${parts}`, 'around.low.w')}, ${extended(`spot.${parts}`)});
    if (!apart(alone, box, spot.w)) { return false; }
  }
  return true;
}`
}

/** The target of an invocation, as WGSL. */
interface Spot {
  /** Its number among the targets of the workgroup. */
  readonly member: string
  /** Conditions that no other invocation with the same target fulfils. */
  readonly writes: readonly string[]
}

function placed({ member, writes }: Spot, part: string, value: string): string {
  const place = `spots[${member}]${part} = ${value};`
  return writes.length > 0 ? `if (${writes.join(' && ')}) { ${place} }` : place
}

/**
 * Shortens the reach after a tile.
 *
 * @param worst the farthest value that the target keeps, or `nothing` if there is room for more
 */
export function narrow({ power, kept }: Narrowing, spot: Spot, worst: string, nothing: string): string {
  const perReach = (value: string) => {
    const distance = power === 2 ? `sqrt(${value})` : value
    return `max(run.perReach, 1.0 / (${distance} * run.slope + run.start))`
  }
  return wgsl`
${placed(spot, '.w', `select(run.perReach, ${perReach(worst)}, ${worst} < ${nothing})`)}
atomicMax(&farthest[tileTurn], bitcast<u32>(${worst}));
workgroupBarrier();
let worst = bitcast<f32>(atomicLoad(&farthest[tileTurn]));
tileTurn ^= 1u;
if (lane == 0u) { atomicStore(&farthest[tileTurn], 0u); }
if (worst < ${nothing}) { perReach = ${perReach('worst')}; }
oneByOne = met > ${many(kept)}u;`
}

/** Declares the reach before the first tile. @param point the coordinates of the target */
export function startReach(space: BoxSpace, spot: Spot, point: string): string {
  return wgsl`
perReach = run.perReach;
oneByOne = false;
${placed(spot, '', vectorOf(space).extended(insideOf(space).of(point), 'run.perReach'))}
var tileTurn = 0u;
if (lane < 2u) { atomicStore(&farthest[lane], 0u); }`
}

/** Queues the blocks at the start of the walk. */
export function startNear(shape: Walked, { blocks, ownBlocks }: Narrowing, queue: string): string {
  const [middle, find] = ownBlocks
    ? [`block * ${ownBlocks}u + ${ownBlocks >> 1}u`, '']
    : ['nearestBlock', descent(shape)]
  return wgsl`
${find}
let startBlocks = min(${blocks}u, nodes0);
let startFirst = min(max(${middle}, startBlocks / 2u) - startBlocks / 2u, nodes0 - startBlocks);
for (var n = lane; n < startBlocks; n += ${shape.workgroup}u) { ${queue}[n] = startFirst + n; }
queued = startBlocks;
workgroupBarrier();`
}

/** Declares `nearestBlock`: the block at the end of a descent, from each level to the node with the nearest centre. */
function descent({ space, levels, workgroup }: Walked): string {
  const { type, parts } = vectorOf(space)
  const middle = (box: string) => `0.5 * ${box}.low.${parts} + 0.5 * ${box}.high.${parts}`
  const image = space.periodic ? `apart = ${insideOf(space).of('apart + 0.5 * lengths()')} - 0.5 * lengths();` : ''
  const level = (n: number): string => {
    const [from, to] =
      n === levels - 1 ? ['0u', `nodes${n}`] : [`nearestBlock * ${fanOut}u`, `min(nodes${n}, first + ${fanOut}u)`]
    return wgsl`{
  let first = ${from};
  let last = ${to};
  var least = 0x7f7fffffu;
  var own = first;
  for (var node = first + lane; node < last; node += ${workgroup}u) {
    let box = boxAt(first${n} + node);
    var apart = ${middle('box')} - middle;
    ${image}
    // The largest float32 if a coordinate is not finite.
    let distance = min(bitcast<u32>(length(clamp(apart, ${type}(-1e18), ${type}(1e18)))), 0x7f7fffffu);
    if (distance < least) {
      least = distance;
      own = node;
    }
  }
  if (lane == 0u) {
    atomicStore(&nearest[0], 0x7f7fffffu);
    atomicStore(&nearest[1], 0xffffffffu);
  }
  workgroupBarrier();
  atomicMin(&nearest[0], least);
  workgroupBarrier();
  if (atomicLoad(&nearest[0]) == least) { atomicMin(&nearest[1], own); }
  workgroupBarrier();
  nearestBlock = atomicLoad(&nearest[1]);
  workgroupBarrier();
}`
  }
  return wgsl`
let middle = ${middle('around')};
var nearestBlock = 0u;
${Array.from({ length: levels }, (_, n) => level(levels - 1 - n))}`
}

/** Number of blocks at the start of a walk: the targets' own, and others with at least as many sources as a target keeps. */
export function startingBlocks(targets: number, kept: number, most: number): number {
  return Math.min(most, Math.ceil(targets / blockPoints) + 2 * Math.max(fewestAround, Math.ceil(kept / blockPoints)))
}

/** Blocks on either side. */
const fewestAround = 4
