/**
 * The design of a sum with a tolerance. Each run puts the points in order, makes boxes and proxies from the leaves upwards, and walks
 * the tree, all on the device. Nothing is kept between runs.
 *
 * @module
 */
import type { Shape, TreeSetting } from '@manybody/core'
import { accumulationIn, type Weighted } from '@manybody/core/backend'
import { evaluate } from '@manybody/core/expression'
import type { DesignedResult, DesignRun, Work } from '../drivers/driver.ts'
import type { LoopHost } from '../host/host.ts'
import { treeChain, treeLoop } from '../loops/tree-loop.ts'
import type { LoopShape } from '../parts/loop-shape.ts'
import { targetsPerGroup } from '../parts/loop-shape.ts'
import { expectedPairs, treeShape } from '../plans/tree-model.ts'
import { addChildren, childDispatches } from '../proxies/add-children.ts'
import { finishGroups, finishNodes } from '../proxies/finish-nodes.ts'
import {
  gatheringGroups,
  gatherSources,
  momentWords,
  weightAttributes,
  weightParameters,
} from '../proxies/gather-sources.ts'
import { type GridShaders, gridDispatches, gridNodes, gridProxies, gridSize } from '../proxies/grid-proxies.ts'
import { simplexNodes, simplexSize } from '../proxies/simplex-proxies.ts'
import type { TreeSources } from '../proxies/source-groups.ts'
import { filledPlaces, mostNodes, startLevel, treeLevels, treeNodes } from '../ranges/opening-tree.ts'
import { allDigits, boundsBoxes, boundsShader, boundsWords, keyGroups, keysShader } from '../ranges/order.ts'
import { countWords, keysWords, orderWords, sortDispatches, sortShaders } from '../ranges/radix-sort.ts'
import type { Dispatch, Shader } from '../wgsl/shader.ts'
import { spread } from '../wgsl/spread.ts'
import { accumulationOf } from './accumulation.ts'
import type { ProgramDesign } from './design.ts'
import { groupSteps } from './group-steps.ts'
import { type PairProblem, pairProblem, type WrittenPair } from './pair-problem.ts'

/** The shaders that put one set of points in order. */
interface SetShaders {
  readonly bounds: Shader
  readonly keys: Shader
}

interface TreeShaders extends WrittenPair {
  readonly sources: TreeSources
  readonly sets: readonly SetShaders[]
  readonly gather: Shader
  readonly children: Shader
  readonly finish: Shader
  /** Grids have shaders of their own; simplices are made where nodes are finished. */
  readonly grids: GridShaders | undefined
  readonly loop: Shader
}

/**
 * @param weighted the workload in terms of the weights that proxies add up
 * @throws RangeError if the device cannot hold its arrays
 */
export function treeDesign(
  { workload, weights }: Weighted,
  shape: Shape,
  setting: TreeSetting,
  host: LoopHost,
): ProgramDesign {
  const problem = pairProblem(workload, shape)
  const loop = treeShape(host.info.kind)
  const shaders = problem.written.map((written) => shadersOf(problem, written, weights, loop, setting))
  const { fold, sources } = shaders.of()
  const places = placesOf(sources, problem, loop, setting)
  fits(host, places, allOf(shaders.of()))
  return {
    variant: `workgroup ${loop.workgroup}, targets ${targetsPerGroup(loop)}`,
    accumulation: accumulationIn(workload, accumulationOf(treeChain(loop), shape.sources)),
    inputs: inputsOf(sources, shape),
    shaders: (parameters) => allOf(shaders.of(parameters)),
    results: (bindings) =>
      fold.results.map(({ name, hostType, width }): DesignedResult => {
        const length = bindings.targets.count * width
        return { name, type: hostType, length, held: length, most: bindings.sources.count }
      }),
    interactions: (bindings) => bindings.targets.count * bindings.sources.count,
    work: (run, results) => treeWork(run, results, shape, shaders.of(run.bindings.parameters), loop, places, setting),
  }
}

const allOf = ({ sets, gather, children, finish, grids, loop }: TreeShaders): readonly Shader[] => [
  ...sets.flatMap(({ bounds, keys }) => [bounds, keys]),
  ...sortShaders,
  ...[gather, children, finish],
  ...(grids ? [grids.lowest, grids.above] : []),
  loop,
]

function shadersOf(
  { workload, shape, exclusions }: PairProblem,
  written: WrittenPair,
  weights: TreeSources['weights'],
  loop: LoopShape,
  setting: TreeSetting,
): TreeShaders {
  const { proxies } = setting
  const { dimension, sameSet } = shape
  const { fold, texts } = written.inAnyOrder()
  const { run } = written
  const label = `${workload.law.name}, sum of ${workload.quantity} with a tolerance`
  const sources: TreeSources = { label, dimension, weights, texts, run }
  const space = { dimension, periodic: false } as const
  const start = startLevel(shape.sources, sizeOf(sources, setting))
  const byField = opensByField(shape, setting)
  const walk = { dimension, workgroup: loop.workgroup, start, exclusions, byField }
  const side = sameSet ? 'points' : 'sources'
  const set = (name: string): SetShaders => ({ bounds: boundsShader(name, space), keys: keysShader(name, space) })
  return {
    ...written,
    ...{ fold, texts, sources },
    sets: sameSet ? [set('points')] : [set('targets'), set('sources')],
    gather: gatherSources(sources, side, exclusions),
    children: addChildren(sources),
    finish: finishNodes(sources, proxies === 'simplex' ? simplexNodes(sources) : gridNodes(proxies, sources), byField),
    grids: proxies === 'simplex' ? undefined : gridProxies(sources, proxies, side),
    loop: treeLoop(label, { texts, fold, shape: loop, walk, run }),
  }
}

/** The weights around targets are known if these are the sources, and only the error of simplices depends on them. */
const opensByField = ({ sameSet }: Shape, { proxies }: TreeSetting) => sameSet && proxies === 'simplex'

const sizeOf = (sources: TreeSources, { proxies }: TreeSetting) =>
  proxies === 'simplex' ? simplexSize(sources) : gridSize(proxies, sources)

/** The arrays of the caller: what loads of targets and the weights of sources read. */
function inputsOf({ texts, ...sources }: TreeSources, { sameSet }: Shape): readonly string[] {
  const side = sameSet ? 'points' : 'sources'
  const weighted = weightAttributes({ ...sources }).map((name) => `${side}.${name}`)
  const named = new Set(sources.weights.map(({ attribute }) => `${side}.${attribute}`))
  const others = texts.resources.map(({ key }) => key).filter((key) => !named.has(key))
  return [...new Set([...others, ...weighted])]
}

/** Where the parts of the shared arrays begin, and how long these arrays are. */
function placesOf(sources: TreeSources, { shape, exclusions }: PairProblem, loop: LoopShape, setting: TreeSetting) {
  const { sameSet } = shape
  const width = sources.texts.record.length
  const nodes = treeNodes(shape.sources)
  const levels = treeLevels(shape.sources)
  const size = sizeOf(sources, setting)
  // A node with as few points as proxies has none.
  const proxied = levels.find(({ places }) => places > size)?.first ?? nodes
  const proxyFirst = filledPlaces(shape.sources)
  const proxyCount = (nodes - proxied) * size
  const scheme = width * (proxyFirst + proxyCount)
  const leaves = levels[0]?.filled ?? 0
  const others = momentWords(sources, nodes)
  const gridWeights = others + sources.weights.length * leaves
  const weightWords = setting.proxies === 'simplex' ? 0 : sources.weights.length * proxyCount
  const boxes = scheme + 1
  const openings = boxes + 2 * nodes
  const sourceOrder = sameSet ? 0 : orderWords(shape.targets)
  const evaluated = sourceOrder + orderWords(shape.sources)
  const sourcePlaces = evaluated + Math.ceil(shape.targets / targetsPerGroup(loop))
  const most = Math.max(shape.targets, shape.sources)
  const start = levels[startLevel(shape.sources, size)] ?? levels[0]
  return {
    values: {
      ...{
        sourceOrder,
        evaluated,
        sourcePlaces,
        boxes,
        openings,
        scheme,
        proxied,
        proxyFirst,
        proxyCount,
        others,
        gridWeights,
        nodes,
        leaves,
      },
      targetCount: shape.targets,
      sourceCount: shape.sources,
      root: levels.at(-1)?.first ?? 0,
      levels: levels.length - 1,
      startFirst: start?.first ?? 0,
      startCount: start?.filled ?? 0,
      carry: 0,
    },
    size,
    scratch: {
      keys: 4 * keysWords(most),
      counts: 4 * countWords(most),
      bounds: 4 * boundsWords,
      order: 4 * (sourcePlaces + (exclusions ? shape.sources : 0)),
      packed: 16 * (openings + 2 * nodes),
      moments: 4 * (gridWeights + weightWords),
    },
  }
}

type Places = ReturnType<typeof placesOf>

/** @throws RangeError */
function fits({ limits }: LoopHost, { scratch, values }: Places, shaders: readonly Shader[]): void {
  const bytes = Math.max(...Object.values(scratch))
  const room = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
  if (bytes > room) throw new RangeError(`a tree needs ${bytes} bytes for one array, device limit is ${room}`)
  const arrays = Math.max(...shaders.map(({ resources }) => resources.length))
  const most = limits.maxStorageBuffersPerShaderStage
  if (arrays > most) throw new RangeError(`a tree binds ${arrays} arrays, device limit is ${most}`)
  const memory = Math.max(...shaders.map((shader) => shader.memory))
  const least = limits.maxComputeWorkgroupStorageSize
  if (memory > least) throw new RangeError(`a tree needs ${memory} bytes of workgroup memory, device limit is ${least}`)
  if (values.nodes > mostNodes) throw new RangeError(`a tree has at most ${mostNodes} nodes`)
}

function treeWork(
  run: DesignRun,
  results: readonly DesignedResult[],
  shape: Shape,
  shaders: TreeShaders,
  loop: LoopShape,
  places: Places,
  setting: TreeSetting,
): Work {
  const { parameters } = run.bindings
  const values = {
    ...places.values,
    ...Object.fromEntries(shaders.body.run.map((b) => [b.name, evaluate(b.expr, parameters)])),
    ...Object.fromEntries(
      [...weightParameters(shaders.sources)].map(([field, name]) => [field, parameters[name] ?? 0]),
    ),
    opening2: setting.opening ** 2,
  }
  const { sets, gather, children, finish, grids, sources } = shaders
  const [x, z] = spread(gatheringGroups(values.leaves))
  const [nodesX, nodesZ] = spread(finishGroups(values.nodes))
  const before = [
    ...sets.flatMap((set, n) =>
      n < sets.length - 1 ? ordering(set, shape.targets, 0) : ordering(set, shape.sources, values.sourceOrder),
    ),
    { shader: gather, values, size: [x, 1, z] as const },
    ...childDispatches(children, shape.sources, values),
    { shader: finish, values, size: [nodesX, 1, nodesZ] as const },
    ...(grids && setting.proxies !== 'simplex'
      ? gridDispatches(grids, setting.proxies, sources, shape.sources, values)
      : []),
  ]
  const pairs = expectedPairs(setting, places.size, shape.sources, opensByField(shape, setting))
  const group = { values, targetsPerGroup: targetsPerGroup(loop), pairs, expectedPairs: pairs }
  return { scratch: places.scratch, steps: groupSteps(run, results, { shader: shaders.loop, ...group }, before) }
}

/** The dispatches that put a set in order. */
function ordering({ bounds, keys }: SetShaders, count: number, orderFirst: number): readonly Dispatch[] {
  const boxCount = boundsBoxes(count)
  const given = { count, boxCount }
  return [
    { shader: bounds, values: given, size: [boxCount, 1, 1] },
    { shader: keys, values: given, size: keyGroups(count) },
    ...sortDispatches(count, orderFirst, allDigits),
  ]
}
