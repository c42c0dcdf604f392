/**
 * The design that visits pairs within a cutoff by blocks of points: its shaders, and the dispatches that put the points in order
 * and fit boxes to them.
 *
 * @module
 */
import type { Plan } from '@manybody/core'
import { accumulationIn } from '@manybody/core/expression'
import { blockCount } from '@manybody/core/near'
import type { BlocksDesign, GroupsVersion, PairDesign, Preparation } from '../../design/design.ts'
import type { LoopHost } from '../../design/facts.ts'
import { countWords, keysWords, orderWords } from '../../design/sort-layout.ts'
import { versionFor } from '../../design/versions.ts'
import { accumulationOf } from '../../plans/accumulation.ts'
import { caseOf } from '../../plans/pair-case.ts'
import { blocksVariant } from '../../plans/variants.ts'
import { blockLoop, blockLoopBytes, chainsOf } from '../loops/block-loop.ts'
import { gather, gatherGroups } from '../loops/gather.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { type BlockPlan, blockPlanOf, describeBlocks } from '../plans/block-plan.ts'
import { boxVectors, levelsOf, nodesOf } from '../ranges/block-tree.ts'
import { levelDispatches, levelShader } from '../ranges/boxes.ts'
import type { WalkShape } from '../ranges/cutoff-walk.ts'
import { boundsBoxes, boundsShader, boundsWords, keyGroups, keysShader } from '../ranges/order.ts'
import { sortShaders } from '../ranges/radix-sort.ts'
import { isSized, narrowingOf, reachOf, spaceOf } from './block-reach.ts'
import { derived } from './lazily.ts'
import { listsOf } from './lists.ts'
import { lawCaseOf, type PairProblem, resultRules, type WrittenPair } from './pair-problem.ts'

/**
 * @param plain the design for runs with ranges or earlier results, which this loop cannot compute
 * @throws RangeError if the workload or the device cannot visit blocks
 */
export function blocksDesign(problem: PairProblem, plan: Plan, host: LoopHost, plain: () => PairDesign): BlocksDesign {
  const { workload, shape, guard, written } = problem
  const walkOf = (workgroup: number, targets: number): WalkShape => ({
    ...{ space: spaceOf(problem), workgroup },
    levels: levelsOf(shape.sources).length,
    sized: isSized(problem),
    narrowing: narrowingOf(problem, workgroup, targets),
  })
  const { texts, fold } = versionFor({ versions: written, guard })
  const chosen = blockPlanOf(problem, plan, caseOf(lawCaseOf(problem), host, shape), (workgroup) =>
    blockLoopBytes(texts, walkOf(workgroup, workgroup)),
  )
  const versions = derived(written, (one) =>
    blocksVersion(problem, one, chosen, walkOf(chosen.shape.workgroup, chosen.targets)),
  )
  requireRoom(versionFor({ versions, guard }), host)
  const lists = listsOf(workload)
  const [chain, chains] = chainsOf(chosen.shape, shape.sources)
  return {
    driver: 'blocks',
    variant: describeBlocks(chosen),
    accumulation: accumulationIn(workload, accumulationOf(chain, shape.sources, chains)),
    inputs: [...texts.resources.map(({ key }) => key), ...lists.arrays],
    results: resultRules(fold),
    guard,
    versions,
    ...lists.part,
    get inParts() {
      return plain()
    },
    targetsPerGroup: chosen.targets,
    reach: reachOf(problem),
  }
}

/** @throws RangeError */
function requireRoom({ shaders, scratch }: GroupsVersion, { limits }: LoopHost): void {
  const mostArrays = Math.max(...Object.values(shaders).map(({ resources }) => resources.length))
  const { maxStorageBuffersPerShaderStage: arrays } = limits
  if (mostArrays > arrays)
    throw new RangeError(
      `"variant" ${blocksVariant} binds ${mostArrays} arrays, device limit is ${arrays}; name another variant`,
    )
  const bytes = Math.max(...Object.values(scratch))
  const room = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
  if (bytes > room)
    throw new RangeError(
      `"variant" ${blocksVariant} needs ${bytes} bytes for one array, device limit is ${room}; name another variant`,
    )
}

function blocksVersion(problem: PairProblem, written: WrittenPair, plan: BlockPlan, walk: WalkShape): GroupsVersion {
  const { workload, shape, exclusions } = problem
  const { targets, sources, sameSet } = shape
  const { run, body } = written
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describeBlocks(plan)}`
  const { fold, texts } = written.inAnyOrder()
  const { scratch, ...places } = placesOf(texts, problem, plan)
  const sides: readonly Side[] = [
    ...(sameSet ? [] : [{ set: 'targets', count: targets, orderFirst: 0, boxFirst: places.targetBoxes }]),
    { set: sameSet ? 'points' : 'sources', count: sources, orderFirst: places.sourceOrder, boxFirst: 0, texts },
  ]
  const arranged = sides.map((side) => arranging(label, side, walk, run))
  const look = written.look?.settle ? undefined : written.look
  return {
    shaders: {
      ...Object.assign({}, ...arranged.map(({ shaders }) => shaders)),
      ...(walk.levels > 1 && { level: levelShader }),
      loop: blockLoop(label, { texts, fold, look, shape: plan.shape, walk, exclusions, run }),
    },
    run: body.run,
    before: [...arranged.flatMap(({ before }) => before), ...levelDispatches(sources, places.boxes)],
    values: { ...places, targetCount: targets, sourceCount: sources, carry: 0 },
    scratch: { ...scratch, ...(!walk.space.periodic && { bounds: 4 * boundsWords }) },
  }
}

/** Where the parts of the arrays begin that several things share, and how long these arrays are. */
function placesOf({ record }: PairTexts, { shape }: PairProblem, plan: BlockPlan) {
  const { targets, sources, sameSet } = shape
  const sourceOrder = sameSet ? 0 : orderWords(targets)
  const evaluated = sourceOrder + orderWords(sources)
  const boxes = record.length * sources
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

/** One set of points, and where its order and its boxes begin. */
interface Side {
  readonly set: string
  readonly count: number
  readonly orderFirst: number
  readonly boxFirst: number
  /** The texts for packing, if the points are sources. */
  readonly texts?: PairTexts
}

/** What puts a set in order and fits the boxes of its blocks. */
function arranging(
  label: string,
  { set, count, orderFirst, boxFirst, texts }: Side,
  { space }: WalkShape,
  run: WrittenPair['run'],
): { readonly shaders: GroupsVersion['shaders'] | object; readonly before: readonly Preparation[] } {
  const [bounds, keys, gathers] = ['bounds', 'keys', 'gather'].map((name) => `${name} of ${set}`) as [
    string,
    string,
    string,
  ]
  const boxCount = boundsBoxes(count)
  const values = { count, boxCount, orderFirst, boxFirst }
  return {
    shaders: {
      ...(!space.periodic && { [bounds]: boundsShader(set, space) }),
      [keys]: keysShader(set, space),
      ...sortShaders,
      [gathers]: gather(`${label}: ${set} in blocks`, set, space, texts, texts ? run : []),
    },
    before:
      count === 0
        ? []
        : [
            ...(space.periodic ? [] : [{ shader: bounds, values, size: [boxCount, 1, 1] as const }]),
            { shader: keys, values, size: keyGroups(count) },
            { sort: { count, orderFirst } },
            { shader: gathers, values, size: gatherGroups(count) },
          ],
  }
}
