/**
 * The design that visits pairs within a cutoff by blocks of points: its shaders, and the dispatches before the loop. These put
 * the points in order and fit boxes to them.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { accumulationIn, blockCount } from '@manybody/core/backend'
import { boxVectors, levelDispatches, nodesOf } from '../design/block-tree.ts'
import { keysWords, orderWords } from '../design/counting-sort.ts'
import { curvePlaces } from '../design/curve-cells.ts'
import type { BlocksDesign, GroupsVersion, KnownDispatch, PairDesign } from '../design/design.ts'
import { gridLength, gridLoop } from '../design/even-grid.ts'
import type { LoopHost } from '../design/facts.ts'
import type { BlockPlan } from '../design/loop-shape.ts'
import { boundsWords, pointGroups } from '../design/order-layout.ts'
import { type BoxSpace, needsBounds } from '../design/space.ts'
import { versionFor } from '../design/versions.ts'
import { accumulationOf, blockChains } from '../plans/accumulation.ts'
import { derived } from './lazily.ts'
import { blocksVariant } from './loaded-at-once.ts'
import { type OrderPlaces, ordering } from './ordering.ts'
import type { BlocksLoop, BlocksVersion, PairLoops } from './pair-loops.ts'

/** A plan as reports and shaders show it. */
export const describeBlocks = ({ targets, shape }: BlockPlan): string =>
  `${blocksVariant} (workgroup ${shape.workgroup}, targets ${targets}, unroll ${shape.unroll})`

/** The name of the shader that gathers a set in blocks. */
export const gatherName = (set: string): string => `gather of ${set}`

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
  const versions = derived(given, (one) => blocksVersion(one, shape, plan, reach.rule))
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
  { shaders, run, vectors, sized }: BlocksVersion,
  shape: Shape,
  plan: BlockPlan,
  space: BoxSpace,
): GroupsVersion {
  const { targets, sources, sameSet } = shape
  const { scratch, countsFirst, ...places } = placesOf({ vectors, sized }, shape, plan)
  const ofTargets = { orderFirst: 0, countsFirst }
  const ofSources = { orderFirst: places.sourceOrder, countsFirst, grid: gridLoop in shaders ? places.grid : undefined }
  const before = [
    ...(sameSet ? [] : arranging('targets', space, targets, ofTargets, places.targetBoxes)),
    ...arranging(sameSet ? 'points' : 'sources', space, sources, ofSources, 0),
    ...levelDispatches(sources, places.boxes),
  ]
  return {
    shaders,
    run,
    before,
    values: { ...places, starts: countsFirst, targetCount: targets, sourceCount: sources, carry: 0 },
    scratch: { ...scratch, ...(needsBounds(space) && { bounds: 4 * boundsWords }) },
  }
}

/** Where the parts of shared arrays begin, and how long these arrays are. */
function placesOf(
  { vectors, sized }: Pick<BlocksVersion, 'vectors' | 'sized'>,
  { targets, sources, sameSet }: Shape,
  plan: BlockPlan,
) {
  const sourceOrder = sameSet ? 0 : orderWords(targets)
  const evaluated = sourceOrder + orderWords(sources)
  const boxes = vectors * sources
  const targetBoxes = sameSet ? 0 : nodesOf(sources)
  const most = Math.max(targets, sources)
  const sizes = boxes + boxVectors * (nodesOf(sources) + (sameSet ? 0 : blockCount(targets)))
  const grid = evaluated + Math.ceil(targets / plan.targets)
  const countsFirst = grid + gridLength
  return {
    ...{ sourceOrder, evaluated, boxes, targetBoxes, grid, countsFirst, sizes },
    scratch: {
      keys: 4 * keysWords(most),
      order: 4 * curvePlaces(most, countsFirst).end,
      packed: 16 * (sizes + (sized ? Math.ceil(sources / 4) : 0)),
    },
  }
}

/** The dispatches that put a set in order and fit the boxes of its blocks, which begin at `boxFirst`. */
function arranging(
  set: string,
  space: BoxSpace,
  count: number,
  places: OrderPlaces,
  boxFirst: number,
): readonly KnownDispatch[] {
  if (count === 0) return []
  const values = { count, orderFirst: places.orderFirst, boxFirst }
  return [...ordering(set, space, count, places), { shader: gatherName(set), values, size: pointGroups(count) }]
}
