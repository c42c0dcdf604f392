/**
 * Sums with a tolerance in float64: far sources are replaced by proxies of the same law. It is the specification of every tree,
 * as `pair-loop.ts` is of every pair workload, and finds the cost and the error of a setting.
 *
 * @module
 */
import type { Range, TreeSetting } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { boxStride } from '../../methods/loaded-at-once.ts'
import { type BlockTree, blockTree, firstAt, lastAt, linkStride, skipAt } from '../../methods/ranges/block-tree.ts'
import { fitBoxes } from '../../methods/ranges/boxes.ts'
import { walkOpening } from '../../methods/ranges/opening-walk.ts'
import { orderPoints } from '../../methods/ranges/order.ts'
import { type NodeWeights, nodeFields, nodeReaches, unitOf } from '../../methods/tolerance/fields.ts'
import { gridScheme } from '../../methods/tolerance/grid.ts'
import { nodesWithProxies, proxiesOf, weightsOfNodes } from '../../methods/tolerance/proxies.ts'
import type { ProxyScheme, WeightedPoints } from '../../methods/tolerance/proxy-scheme.ts'
import { groupsIn, simplexScheme } from '../../methods/tolerance/simplex.ts'
import { type Separated, sourceWeights } from '../../methods/tolerance/source-weights.ts'
import { byPlace, weightsOf } from '../../methods/tolerance/weighted-points.ts'
import { needsGuard } from '../../problem/workloads/bodies/coincident.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import type { ArrayResults, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { type Fold, foldOf } from './folds.ts'
import { PairBlock } from './pair-block.ts'

/** The most targets that walk together. */
const groupPoints: Readonly<Record<number, number>> = { 2: 16, 3: 32 }

/** Points and tree of one run, for any number of settings. */
export class TreeProblem {
  readonly #targets: BlockTree
  readonly #sources: BlockTree
  readonly #points: WeightedPoints
  readonly #weights: NodeWeights
  readonly #separated: Separated & { readonly ok: true }

  /** @throws TypeError if the workload cannot have proxies */
  constructor(
    readonly workload: PairWorkload,
    readonly shape: Shape,
    readonly data: PairData,
  ) {
    const { dimension } = shape
    const separated = sourceWeights(workload, dimension)
    if (!separated.ok) throw new TypeError(separated.reason)
    this.#separated = separated
    this.#sources = treeOf(data.sources.position as FloatArray, dimension)
    this.#targets = shape.sameSet ? this.#sources : treeOf(data.targets.position as FloatArray, dimension)
    this.#points = this.#weighted()
    this.#weights = weightsOfNodes(this.#sources, this.#points, dimension)
  }

  /** The sums of all targets, complete once all their terms have been added. */
  sums(setting: TreeSetting): { readonly terms: Generator<number>; readonly results: () => ArrayResults } {
    const { workload, shape } = this
    const fold = foldOf(workload, shape, shape.targets)
    return { terms: this.terms(setting, fold), results: () => fold.results() }
  }

  /** Folds the terms of targets, by default all, over their sources and proxies. Yields the pairs of each group of targets. */
  *terms(setting: TreeSetting, fold: Fold, targets?: readonly number[]): Generator<number> {
    const { workload, shape, data } = this
    const { dimension } = shape
    const { order } = this.#sources
    const count = order.length
    const scheme = this.#scheme(setting)
    const { first, position, block } = this.#records(scheme)
    const skipSelf = shape.sameSet && workload.domain.self === 'exclude'
    const here = data.targets.position as FloatArray
    const d = new Float64Array(3)
    const sourceOf = (record: number) => (record < count ? (order[record] as number) : -1)
    const ofSources = {
      add: (row: number, record: number, term: Float64Array) => fold.add(row, sourceOf(record), term),
    }
    for (const { members, ranges } of this.#walks(setting, scheme, first, targets)) {
      for (const { point, row, excluded } of members) {
        block.target(point)
        for (const [from, to] of ranges)
          for (let record = from; record < to; record++) {
            const source = sourceOf(record)
            if ((skipSelf && source === point) || excluded.has(source)) continue
            let r2 = 0
            for (let axis = 0; axis < dimension; axis++) {
              const along = (position[record * dimension + axis] as number) - (here[point * dimension + axis] as number)
              d[axis] = along
              r2 += along * along
            }
            if (block.take(record, d[0] as number, d[1] as number, d[2] as number, r2)) block.fold(row, ofSources)
          }
        block.fold(row, ofSources)
      }
      yield members.length * lengthOf(ranges)
    }
  }

  /** The number of pairs that {@link TreeProblem.terms} computes, without computing them. */
  pairsOf(setting: TreeSetting, targets?: readonly number[]): number {
    const scheme = this.#scheme(setting)
    const { first } = nodesWithProxies(this.#sources.links, scheme.size)
    let pairs = 0
    for (const { members, ranges } of this.#walks(setting, scheme, first, targets))
      pairs += members.length * lengthOf(ranges)
    return pairs
  }

  /** The records that each group of targets meets: places of sources, and after them proxies. */
  *#walks(
    setting: TreeSetting,
    { size }: ProxyScheme,
    first: Int32Array,
    targets: readonly number[] | undefined,
  ): Generator<{ readonly members: readonly Member[]; readonly ranges: readonly Range[] }> {
    const { shape, data } = this
    const { dimension } = shape
    const { order } = this.#sources
    const { exclusions } = data
    const placeOf = exclusions && placesOf(order)
    const most = groupPoints[dimension] as number
    const { fields, ...reach } = this.#reach(setting)
    for (const { points, box, node: group } of groupsOf(this.#targets, most, rowsOf(shape, targets))) {
      const members = points.map(({ point, row }) => {
        const excluded = exclusions?.sources.subarray(exclusions.offsets[point], exclusions.offsets[point + 1])
        return { point, row, excluded: new Set(excluded) }
      })
      const places = placeOf && members.flatMap(({ excluded }) => [...excluded].map((j) => placeOf[j] as number))
      const rule = {
        ...{ dimension, centre: this.#weights.centre },
        reach: { ...reach, field: fields?.[group] ?? 1 },
        hasProxies: (node: number) => (first[node] as number) >= 0,
        opens: places && ((from: number, to: number) => places.some((place) => place >= from && place < to)),
      }
      const ranges: Range[] = []
      const take = (from: number, to: number) => ranges.push([from, to])
      walkOpening(this.#sources, box, rule, take, (node) => {
        const from = order.length + (first[node] as number)
        take(from, from + size)
      })
      yield { members, ranges }
    }
  }

  /** How far nodes must be. The weights around targets are known if targets and sources are one set. Only simplices depend on them. */
  #reach({ proxies, opening }: TreeSetting) {
    const { dimension, sameSet } = this.shape
    const weights = proxies === 'simplex' && sameSet ? this.#weights : undefined
    const { far2, near2 } = nodeReaches(this.#sources, dimension, opening, weights)
    return {
      far2: new Float32Array(far2),
      near2: new Float32Array(near2),
      fields: weights && new Float32Array(nodeFields(this.#sources, dimension, weights)),
      unit: unitOf(this.#sources, dimension),
    }
  }

  #scheme({ proxies }: TreeSetting): ProxyScheme {
    const { dimension } = this.shape
    const weights = this.#separated.weights.length
    if (proxies !== 'simplex') return gridScheme(proxies, dimension, weights)
    return simplexScheme(groupsIn(this.#points.weight, weights), dimension, weights)
  }

  /** Sources by place, and then proxies. */
  #records(scheme: ProxyScheme) {
    const { shape, data } = this
    const { dimension } = shape
    const { first, points: proxies } = proxiesOf(this.#sources, this.#points, dimension, scheme)
    const position = joined(this.#points.position, proxies.position)
    const weight = joined(this.#points.weight, proxies.weight)
    const { weights, term } = this.#separated
    const guard = needsGuard(this.workload, dimension, data.parameters)
    const sources = Object.fromEntries(
      weights.map(({ attribute }, w) => {
        const own = Float64Array.from(
          { length: weight.length / weights.length },
          (_, n) => weight[n * weights.length + w] as number,
        )
        return [attribute, own]
      }),
    )
    const { law } = this.workload
    return { first, position, block: new PairBlock(term, law, dimension, { ...data, sources }, { guard }) }
  }

  /** Positions and weights by place. */
  #weighted(): WeightedPoints {
    const { shape, data } = this
    const { order } = this.#sources
    const weights = weightsOf(this.#separated.weights, data.sources, data.parameters, order.length)
    return byPlace(order, data.sources.position as FloatArray, weights, shape.dimension)
  }
}

function treeOf(position: FloatArray, dimension: number): BlockTree {
  const tree = blockTree(position.length / dimension)
  const points = { position, dimension, lengths: [] }
  orderPoints(points, tree)
  fitBoxes(points, tree)
  return tree
}

const lengthOf = (ranges: readonly Range[]): number => ranges.reduce((sum, [from, to]) => sum + to - from, 0)

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

function placesOf(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length)
  for (const [place, point] of order.entries()) places[point] = place
  return places
}

/** The row of each target in the results, -1 for targets that are left out. */
function rowsOf({ targets: count }: Shape, targets: readonly number[] | undefined): Int32Array {
  if (!targets) return Int32Array.from({ length: count }, (_, point) => point)
  const rows = new Int32Array(count).fill(-1)
  for (const [row, point] of targets.entries()) rows[point] = row
  return rows
}

/** A target with its row in the results. */
interface Target {
  readonly point: number
  readonly row: number
}

interface Member extends Target {
  readonly excluded: ReadonlySet<number>
}

interface Group {
  readonly node: number
  readonly points: readonly Target[]
  readonly box: Float64Array
}

/** The largest nodes of at most `most` points, with the points that have a row. */
function* groupsOf({ boxes, links, order }: BlockTree, most: number, rows: Int32Array): Generator<Group> {
  const nodes = boxes.length / boxStride
  for (let node = 0; node < nodes; ) {
    const link = node * linkStride
    const [first, last] = [links[link + firstAt] as number, links[link + lastAt] as number]
    if (last - first > most) {
      node++
      continue
    }
    const group = node
    node = links[link + skipAt] as number
    const points = Array.from(order.subarray(first, last), (point) => ({ point, row: rows[point] as number }))
    const wanted = points.filter(({ row }) => row >= 0)
    const at = (link / linkStride) * boxStride
    if (wanted.length > 0) yield { node: group, points: wanted, box: boxes.subarray(at, at + 6) }
  }
}
