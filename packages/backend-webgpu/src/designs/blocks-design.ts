/**
 * The design that visits pairs within a cutoff by blocks of points: its shaders, and the dispatches before the loop. These put
 * the points in order and fit boxes to them.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { accumulationIn } from '@manybody/core/backend'
import { blockCount } from '@manybody/core/near'
import { boxVectors, levelDispatches, nodesOf } from '../design/block-tree.ts'
import type { BlocksDesign, GroupsVersion, PairDesign, Preparation } from '../design/design.ts'
import type { LoopHost } from '../design/facts.ts'
import type { BlockPlan } from '../design/loop-shape.ts'
import { boundsBoxes, boundsWords, pointGroups } from '../design/order-layout.ts'
import { countWords, keysWords, orderWords } from '../design/sort-layout.ts'
import { needsBounds } from '../design/space.ts'
import { versionFor } from '../design/versions.ts'
import { accumulationOf, blockChains } from '../plans/accumulation.ts'
import { blocksVariant } from '../plans/variants.ts'
import { derived } from './lazily.ts'
import type { BlocksLoop, BlocksVersion, PairLoops } from './pair-loops.ts'

/** A plan as reports and shaders show it. */
export const describeBlocks = ({ targets, shape }: BlockPlan): string =>
  `${blocksVariant} (workgroup ${shape.workgroup}, targets ${targets}, unroll ${shape.unroll})`

/** The names of the shaders that put a set in order. */
export const orderingNames = (set: string): readonly [bounds: string, keys: string, gather: string] => [
  `bounds of ${set}`,
  `keys of ${set}`,
  `gather of ${set}`,
]

/**
 * @param plain the design for runs with ranges or earlier results, which this loop cannot compute
 * @throws RangeError if the device cannot hold its arrays
 */
export function blocksDesign(
  { guard, inputs, results, lists }: Omit<PairLoops, 'blocks'>,
  { plan, versions: given, reach }: BlocksLoop,
  workload: PairWorkload,
  shape: Shape,
  host: LoopHost,
  plain: () => PairDesign,
): BlocksDesign {
  const versions = derived(given, (one) => blocksVersion(one, shape, plan, needsBounds(reach.rule)))
  requireRoom(blocksVariant, versionFor({ versions, guard }), host)
  const [chain, chains] = blockChains(plan.shape, shape.sources)
  return {
    driver: 'blocks',
    variant: describeBlocks(plan),
    accumulation: accumulationIn(workload, accumulationOf(chain, shape.sources, chains)),
    inputs,
    results,
    guard,
    versions,
    ...(lists && { lists: { sort: lists.sort, entries: lists.entries } }),
    get inParts() {
      return plain()
    },
    targetsPerGroup: plan.targets,
    reach,
  }
}

/** @throws RangeError */
export function requireRoom(variant: string, { shaders, scratch }: GroupsVersion, { limits }: LoopHost): void {
  const mostArrays = Math.max(...Object.values(shaders).map(({ resources }) => resources.length))
  const { maxStorageBuffersPerShaderStage: arrays } = limits
  if (mostArrays > arrays)
    throw new RangeError(
      `"variant" ${variant} binds ${mostArrays} arrays, device limit is ${arrays}; name another variant`,
    )
  const bytes = Math.max(...Object.values(scratch))
  const room = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
  if (bytes > room)
    throw new RangeError(
      `"variant" ${variant} needs ${bytes} bytes for one array, device limit is ${room}; name another variant`,
    )
}

function blocksVersion(
  { shaders, run, vectors }: BlocksVersion,
  shape: Shape,
  plan: BlockPlan,
  bounded: boolean,
): GroupsVersion {
  const { targets, sources, sameSet } = shape
  const { scratch, ...places } = placesOf(vectors, shape, plan)
  const before = [
    ...(sameSet ? [] : arranging('targets', targets, 0, places.targetBoxes, bounded)),
    ...arranging(sameSet ? 'points' : 'sources', sources, places.sourceOrder, 0, bounded),
    ...levelDispatches(sources, places.boxes),
  ]
  return {
    shaders,
    run,
    before,
    values: { ...places, targetCount: targets, sourceCount: sources, carry: 0 },
    scratch: { ...scratch, ...(bounded && { bounds: 4 * boundsWords }) },
  }
}

/** Where the parts of shared arrays begin, and how long these arrays are. */
function placesOf(vectors: number, { targets, sources, sameSet }: Shape, plan: BlockPlan) {
  const sourceOrder = sameSet ? 0 : orderWords(targets)
  const evaluated = sourceOrder + orderWords(sources)
  const boxes = vectors * sources
  const targetBoxes = sameSet ? 0 : nodesOf(sources)
  const most = Math.max(targets, sources)
  return {
    ...{ sourceOrder, evaluated, boxes, targetBoxes },
    scratch: {
      keys: 4 * keysWords(most),
      counts: 4 * countWords(most),
      order: 4 * (evaluated + Math.ceil(targets / plan.targets)),
      packed: 16 * (boxes + boxVectors * (nodesOf(sources) + (sameSet ? 0 : blockCount(targets)))),
    },
  }
}

/**
 * The dispatches that put a set in order and fit the boxes of its blocks. Its order and its boxes begin at the given places.
 *
 * @param bounded whether the box around its points is computed first
 */
function arranging(
  set: string,
  count: number,
  orderFirst: number,
  boxFirst: number,
  bounded: boolean,
): readonly Preparation[] {
  if (count === 0) return []
  const boxCount = boundsBoxes(count)
  const values = { count, boxCount, orderFirst, boxFirst }
  const [bounds, keys, gather] = orderingNames(set)
  return [
    ...(bounded ? [{ shader: bounds, values, size: [boxCount, 1, 1] as const }] : []),
    { shader: keys, values, size: pointGroups(count) },
    { sort: { count, orderFirst } },
    { shader: gather, values, size: pointGroups(count) },
  ]
}
