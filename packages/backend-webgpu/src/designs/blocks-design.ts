/**
 * The design that visits pairs within a cutoff by blocks of points. Each run puts the points in order, fits boxes to them, and
 * walks the boxes, all on the device. Nothing is kept between runs, so that results do not depend on earlier runs.
 *
 * @module
 */
import type { Plan } from '@manybody/core'
import { accumulationIn, blockCount, keptPower } from '@manybody/core/backend'
import { evaluate } from '@manybody/core/expression'
import type { DesignedResult, DesignRun, Work } from '../drivers/driver.ts'
import type { LoopHost } from '../host/host.ts'
import { type BlockLoopOptions, blockLoop, blockLoopBytes, chainsOf } from '../loops/block-loop.ts'
import { gather, gatherGroups } from '../loops/gather.ts'
import { type BlockPlan, blockPlanOf, describeBlocks } from '../plans/block-plan.ts'
import { blocksVariant } from '../plans/variants.ts'
import { boxVectors, levelsOf, nodesOf } from '../ranges/block-tree.ts'
import { levelDispatches, levelShaders } from '../ranges/boxes.ts'
import type { WalkShape } from '../ranges/cutoff-walk.ts'
import { boundsBoxes, boundsShader, boundsWords, digitsFor, keyGroups, keysShader } from '../ranges/order.ts'
import { countWords, type Digit, keysWords, orderWords, sortDispatches, sortShaders } from '../ranges/radix-sort.ts'
import { lengthValues } from '../ranges/space.ts'
import type { Dispatch, Shader } from '../wgsl/shader.ts'
import { accumulationOf } from './accumulation.ts'
import { narrowingOf, reachIn, reachValues, spaceOf } from './block-reach.ts'
import type { ProgramDesign } from './design.ts'
import { groupSteps } from './group-steps.ts'
import { caseOf, type PairProblem, type WrittenPair } from './pair-problem.ts'

/** The shaders that put one set of points in order. */
interface SetShaders {
  readonly bounds: Shader | undefined
  readonly keys: Shader
  readonly gather: Shader
}

interface BlockShaders extends WrittenPair {
  readonly sets: readonly SetShaders[]
  readonly levels: readonly Shader[]
  readonly loop: Shader
}

/**
 * @param plain the design for runs with ranges or earlier results, which this loop cannot compute
 * @throws RangeError if the workload or the device cannot visit blocks
 */
export function blocksDesign(
  problem: PairProblem,
  plan: Plan,
  host: LoopHost,
  plain: () => ProgramDesign,
): ProgramDesign {
  const { workload, shape } = problem
  const space = spaceOf(problem)
  const walkOf = (workgroup: number, targets: number): WalkShape => ({
    ...{ space, workgroup },
    levels: levelsOf(shape.sources).length,
    sized: reachIn(problem, {}).ofSize > 0,
    narrowing: narrowingOf(problem, workgroup, targets),
  })
  const { texts: before } = problem.written.of()
  const chosen = blockPlanOf(problem, plan, caseOf(problem, host), (workgroup) =>
    blockLoopBytes(before, walkOf(workgroup, workgroup)),
  )
  const shaders = problem.written.map((written) =>
    shadersOf(problem, written, chosen, walkOf(chosen.shape.workgroup, chosen.targets)),
  )
  const { texts, fold } = shaders.of()
  const mostArrays = Math.max(...allOf(shaders.of()).map(({ resources }) => resources.length))
  const { maxStorageBuffersPerShaderStage: arrays } = host.limits
  if (mostArrays > arrays)
    throw new RangeError(
      `"variant" ${blocksVariant} binds ${mostArrays} arrays, device limit is ${arrays}; name another variant`,
    )
  const places = placesOf(shaders.of(), problem, chosen)
  const bytes = Math.max(...Object.values(places.scratch))
  const room = Math.min(host.limits.maxStorageBufferBindingSize, host.limits.maxBufferSize)
  if (bytes > room)
    throw new RangeError(
      `"variant" ${blocksVariant} needs ${bytes} bytes for one array, device limit is ${room}; name another variant`,
    )
  const [chain, chains] = chainsOf(chosen.shape, shape.sources)
  return {
    variant: describeBlocks(chosen),
    accumulation: accumulationIn(workload, accumulationOf(chain, shape.sources, chains)),
    inputs: texts.resources.map(({ key }) => key),
    shaders: (parameters) => allOf(shaders.of(parameters)),
    results(bindings, { targets = [0, bindings.targets.count] }) {
      return fold.results.map(({ name, hostType, width }): DesignedResult => {
        const length = (targets[1] - targets[0]) * width
        return { name, type: hostType, length, held: length, most: bindings.sources.count }
      })
    },
    interactions(bindings, { targets, sources }) {
      const span = (range: typeof targets, count: number) => (range ? range[1] - range[0] : count)
      return span(targets, bindings.targets.count) * span(sources, bindings.sources.count)
    },
    work: (run, results) => blockWork(run, results, problem, shaders.of(run.bindings.parameters), chosen),
    inParts: plain,
  }
}

const allOf = ({ sets, levels, loop }: BlockShaders): readonly Shader[] => [
  ...sets.flatMap(({ bounds, keys, gather }) => [...(bounds ? [bounds] : []), keys, ...sortShaders, gather]),
  ...levels,
  loop,
]

function shadersOf(problem: PairProblem, written: WrittenPair, plan: BlockPlan, walk: WalkShape): BlockShaders {
  const { workload, shape, exclusions } = problem
  const { space } = walk
  const { run } = written
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describeBlocks(plan)}`
  const { fold, texts } = written.inAnyOrder()
  const set = (name: string, packs: boolean): SetShaders => ({
    bounds: space.periodic ? undefined : boundsShader(name, space),
    keys: keysShader(name, space),
    gather: gather(`${label}: ${name} in blocks`, name, space, packs ? texts : undefined, packs ? run : []),
  })
  const look = written.look?.settle ? undefined : written.look
  const options: BlockLoopOptions = { texts, fold, look, shape: plan.shape, walk, exclusions, run }
  return {
    ...written,
    ...{ fold, texts },
    sets: shape.sameSet ? [set('points', true)] : [set('targets', false), set('sources', true)],
    levels: levelShaders(shape.sources),
    loop: blockLoop(label, options),
  }
}

/** Where the parts of the arrays begin that several things share, and how long these arrays are. */
function placesOf({ texts }: Pick<BlockShaders, 'texts'>, { shape }: PairProblem, plan: BlockPlan) {
  const { targets, sources, sameSet } = shape
  const sourceOrder = sameSet ? 0 : orderWords(targets)
  const evaluated = sourceOrder + orderWords(sources)
  const boxes = texts.record.length * sources
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

function blockWork(
  run: DesignRun,
  results: readonly DesignedResult[],
  problem: PairProblem,
  shaders: BlockShaders,
  plan: BlockPlan,
): Work {
  const { parameters } = run.bindings
  const { targets, sources } = problem.shape
  const { scratch, ...places } = placesOf(shaders, problem, plan)
  const values = {
    ...Object.fromEntries(shaders.body.run.map((b) => [b.name, evaluate(b.expr, parameters)])),
    ...lengthValues(spaceOf(problem), parameters),
    ...places,
    ...reachValues(problem, parameters),
    targetCount: targets,
    sourceCount: sources,
    carry: 0,
  }
  const { sets } = shaders
  const sortedBy = digitsFor(spaceOf(problem), finestCell(problem, parameters))
  return {
    scratch: { ...scratch, ...(sets.some(({ bounds }) => bounds) && { bounds: 4 * boundsWords }) },
    steps: groupSteps(
      run,
      results,
      {
        ...{ shader: shaders.loop, values, targetsPerGroup: plan.targets },
        ...{ pairs: sources, expectedPairs: Math.max(1, sources) * shareOf(parameters) },
      },
      [
        ...sets.flatMap((set, n) => arranging(set, values, sortedBy, n < sets.length - 1 ? 'targets' : 'sources')),
        ...levelDispatches(sources, places.boxes),
      ],
    ),
  }
}

type Values = Readonly<Record<string, number>>

/** Points in a cell that is so many times smaller than the cutoff may be in any order: a box around them is hardly larger. */
const cellsInReach = 8

/** The width of the smallest cells whose order matters, as a share of the longest side of the box; 0 if it is not known. */
function finestCell(problem: PairProblem, { cutoff, boxX = 0, boxY = 0, boxZ = 0 }: Values): number {
  // The reach of workloads that keep the nearest shrinks far below the cutoff.
  const shrinks = keptPower(problem.workload, problem.shape.dimension) !== undefined
  const longest = Math.max(boxX, boxY, boxZ)
  return cutoff === undefined || longest === 0 || shrinks ? 0 : cutoff / (cellsInReach * longest)
}

/** The dispatches that put a set in order and fit the boxes of its blocks. */
function arranging(
  { bounds, keys, gather }: SetShaders,
  values: Values,
  sortedBy: readonly Digit[],
  side: 'targets' | 'sources',
): readonly Dispatch[] {
  const [count = 0, orderFirst = 0, boxFirst = 0] =
    side === 'targets' ? [values.targetCount, 0, values.targetBoxes] : [values.sourceCount, values.sourceOrder, 0]
  if (count === 0) return []
  const boxCount = boundsBoxes(count)
  const given = { ...values, count, boxCount, orderFirst, boxFirst }
  return [
    ...(bounds ? [{ shader: bounds, values: given, size: [boxCount, 1, 1] } as const] : []),
    { shader: keys, values: given, size: keyGroups(count) },
    ...sortDispatches(count, orderFirst, sortedBy),
    { shader: gather, values: given, size: gatherGroups(count) },
  ]
}

/**
 * The share of all pairs that a run may compute, to estimate its time: in a periodic box, eight times that of a cube around the
 * cutoff. In open space all points may be within the cutoff.
 */
function shareOf({ cutoff = 0, boxX, boxY, boxZ }: Values): number {
  const lengths = [boxX, boxY, boxZ].filter((length) => length !== undefined)
  if (lengths.length === 0) return 1
  return Math.min(1, 8 * lengths.reduce((share, length) => (share * 2 * cutoff) / length, 1))
}
