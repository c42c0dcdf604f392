/**
 * The design of a sum with a tolerance: its shaders, and the dispatches before the loop. These put the points in order, and
 * make boxes and proxies from the leaves upwards.
 *
 * @module
 */

import type { Shape, TreeSetting } from '@manybody/core'
import { accumulationIn, namedTape } from '@manybody/core/expression'
import type { Weighted } from '@manybody/core/far'
import { keysWords, orderWords } from '../../design/counting-sort.ts'
import { curvePlaces } from '../../design/curve-cells.ts'
import type { TreeDesign, TreeVersion } from '../../design/design.ts'
import type { LoopHost } from '../../design/facts.ts'
import { type LoopShape, targetsPerGroup } from '../../design/loop-shape.ts'
import { boundsWords } from '../../design/order-layout.ts'
import { alongZ } from '../../design/spread.ts'
import { versionFor } from '../../design/versions.ts'
import { derived } from '../../designs/lazily.ts'
import { ordering } from '../../designs/ordering.ts'
import { accumulationOf } from '../../plans/accumulation.ts'
import type { Fold } from '../folds/fold.ts'
import { treeChain, treeLoop } from '../loops/tree-loop.ts'
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
import { gridDispatches, gridNodes, gridProxies, gridSize } from '../proxies/grid-proxies.ts'
import { simplexNodes, simplexSize } from '../proxies/simplex-proxies.ts'
import type { TreeSources } from '../proxies/source-groups.ts'
import { filledPlaces, mostNodes, startLevel, treeLevels, treeNodes } from '../ranges/opening-tree.ts'
import { pairProblem, resultRules, sumFoldOf } from './loaded-at-once.ts'
import { orderingShaders } from './ordering-shaders.ts'
import type { PairProblem, WrittenPair } from './pair-problem.ts'

/**
 * @param weighted the workload in terms of the weights that proxies add up
 * @throws RangeError if the device cannot hold its arrays
 */
export function treeDesign(
  { workload, weights }: Weighted,
  shape: Shape,
  setting: TreeSetting,
  host: LoopHost,
): TreeDesign {
  const problem = pairProblem(workload, shape, sumFoldOf)
  const { guard, written } = problem
  const loop = treeShape(host.info.kind)
  const made = derived(written, (one) => treeVersion(problem, one, weights, loop, setting))
  const { version, sources, fold } = versionFor({ versions: made, guard })
  requireRoom(host, version)
  return {
    driver: 'tree',
    variant: `workgroup ${loop.workgroup}, targets ${targetsPerGroup(loop)}`,
    accumulation: accumulationIn(workload, accumulationOf(treeChain(loop), shape.sources)),
    inputs: inputsOf(sources, shape),
    results: resultRules(fold),
    guard,
    versions: derived(made, ({ version }) => version),
    targetsPerGroup: targetsPerGroup(loop),
    expectedPairs: expectedPairs(setting, sizeOf(sources, setting), shape.sources, opensByField(shape, setting)),
  }
}

interface MadeTree {
  readonly version: TreeVersion
  readonly sources: TreeSources
  readonly fold: Fold
}

function treeVersion(
  problem: PairProblem,
  written: WrittenPair,
  weights: TreeSources['weights'],
  loop: LoopShape,
  setting: TreeSetting,
): MadeTree {
  const { workload, shape, exclusions } = problem
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
  const { values, scratch, countsFirst } = placesOf(sources, problem, loop, setting)
  const side = sameSet ? 'points' : 'sources'
  const nodes = proxies === 'simplex' ? simplexNodes(sources) : gridNodes(proxies, sources)
  const version: TreeVersion = {
    shaders: {
      ...(sameSet ? {} : orderingShaders('targets', space)),
      ...orderingShaders(side, space),
      gather: gatherSources(sources, side, exclusions),
      children: addChildren(sources),
      finish: finishNodes(sources, nodes, byField),
      // Grids have shaders of their own; the shader that finishes nodes makes simplices.
      ...(proxies !== 'simplex' && gridProxies(sources, proxies, side)),
      loop: treeLoop(label, { texts, fold, shape: loop, walk, run }),
    },
    run: namedTape(written.body.run),
    parameters: Object.fromEntries(weightParameters(sources)),
    values: { ...values, opening2: setting.opening ** 2 },
    scratch,
    before: [
      ...(sameSet ? [] : ordering('targets', space, shape.targets, { orderFirst: 0, countsFirst })),
      ...ordering(side, space, shape.sources, { orderFirst: values.sourceOrder, countsFirst }),
      { shader: 'gather', values: {}, size: alongZ(gatheringGroups(values.leaves)) },
      ...childDispatches(shape.sources),
      { shader: 'finish', values: {}, size: alongZ(finishGroups(values.nodes)) },
      ...(proxies === 'simplex' ? [] : gridDispatches(proxies, sources, shape.sources, values.proxied)),
    ],
  }
  return { version, sources, fold }
}

/** The weights around targets are known only if these are the sources. Only the error of simplices depends on them. */
const opensByField = ({ sameSet }: Shape, { proxies }: TreeSetting) => sameSet && proxies === 'simplex'

const sizeOf = (sources: TreeSources, { proxies }: TreeSetting) =>
  proxies === 'simplex' ? simplexSize(sources) : gridSize(proxies, sources)

/** The arrays of the caller that the shaders read: for targets, and for the weights of sources. */
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
  // A node with no more points than proxies has no proxies.
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
  const countsFirst = sourcePlaces + (exclusions ? shape.sources : 0)
  const start = levels[startLevel(shape.sources, size)] ?? levels[0]
  return {
    countsFirst,
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
    scratch: {
      keys: 4 * keysWords(most),
      bounds: 4 * boundsWords,
      order: 4 * curvePlaces(most, countsFirst).end,
      packed: 16 * (openings + 2 * nodes),
      moments: 4 * (gridWeights + weightWords),
    },
  }
}

/** @throws RangeError */
function requireRoom({ limits }: LoopHost, { scratch, values, shaders }: TreeVersion): void {
  const bytes = Math.max(...Object.values(scratch))
  const room = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
  if (bytes > room) throw new RangeError(`a tree needs ${bytes} bytes for one array, device limit is ${room}`)
  const all = Object.values(shaders)
  const arrays = Math.max(...all.map(({ resources }) => resources.length))
  const most = limits.maxStorageBuffersPerShaderStage
  if (arrays > most) throw new RangeError(`a tree binds ${arrays} arrays, device limit is ${most}`)
  const memory = Math.max(...all.map((shader) => shader.memory))
  const least = limits.maxComputeWorkgroupStorageSize
  if (memory > least) throw new RangeError(`a tree needs ${memory} bytes of workgroup memory, device limit is ${least}`)
  if ((values.nodes as number) > mostNodes) throw new RangeError(`a tree has at most ${mostNodes} nodes`)
}
