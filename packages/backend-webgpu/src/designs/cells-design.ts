/**
 * The design that visits pairs within a cutoff by a grid of cells: its shaders, and the dispatches before the loop. These put
 * the points in the order of their cells.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { accumulationIn } from '@manybody/core/backend'
import { gridRoom, mostCells } from '../design/cell-layout.ts'
import { cellGroups, countingPlaces, keysWords, orderWords } from '../design/counting-sort.ts'
import type { CellsDesign, GroupsVersion, KnownDispatch, PairDesign } from '../design/design.ts'
import type { LoopHost } from '../design/facts.ts'
import type { BlockPlan } from '../design/loop-shape.ts'
import { pointGroups } from '../design/order-layout.ts'
import { carriedNumbers } from '../design/verlet-layout.ts'
import { versionFor } from '../design/versions.ts'
import { accumulationOf, sumLength } from '../plans/accumulation.ts'
import { requireRoom } from './blocks-design.ts'
import { derived } from './lazily.ts'
import { cellsVariant } from './loaded-at-once.ts'
import type { BlocksLoop, BlocksVersion, PairLoops } from './pair-loops.ts'
import { verletDesign } from './verlet-design.ts'

/** A plan as reports and shaders show it. */
export const describeCells = ({ targets, shape }: BlockPlan): string =>
  `${cellsVariant} (workgroup ${shape.workgroup}, targets ${targets})`

/** The names of the shaders that put a set in order. */
export const cellNames = (set: string): readonly [count: string, gather: string] => [`count ${set}`, `gather ${set}`]

/**
 * @param plain the design for runs with ranges or earlier results, which this loop cannot compute
 * @throws RangeError if the device cannot hold its arrays
 */
export function cellsDesign(
  { guard, inputs, results, lists }: Omit<PairLoops, 'blocks' | 'cells'>,
  { plan, versions: given, reach, lasting }: BlocksLoop,
  workload: PairWorkload,
  shape: Shape,
  host: LoopHost,
  plain: () => PairDesign,
): CellsDesign {
  const versions = derived(given, (one) => cellsVersion(one, shape, plan))
  requireRoom(cellsVariant, versionFor({ versions, guard }), host)
  const { sources } = shape
  const length = sumLength(sources)
  return {
    driver: 'cells',
    variant: describeCells(plan),
    accumulation: accumulationIn(workload, accumulationOf(length, sources, sources / length)),
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
    mostCells: mostCells(sources),
    ...(lasting && { carries: carriedNumbers(sources, shape.dimension) }),
    get lasting() {
      const derive = (one: BlocksVersion) => cellsVersion(one, shape, plan)
      return lasting && verletDesign(this, derived(lasting, derive), plan.shape.slices)
    },
  }
}

function cellsVersion({ shaders, run, vectors }: BlocksVersion, shape: Shape, plan: BlockPlan): GroupsVersion {
  const { targets, sources, sameSet } = shape
  const sourceOrder = sameSet ? 0 : orderWords(targets)
  const { places, end: evaluated } = countingPlaces(sourceOrder + orderWords(sources), gridRoom(sources), 'one')
  const groups = Math.ceil(targets / plan.targets)
  const most = Math.max(targets, sources)
  const before = [
    ...(sameSet ? [] : arranging('targets', targets, sources, 0)),
    ...arranging(sameSet ? 'points' : 'sources', sources, sources, sourceOrder),
  ]
  return {
    shaders,
    run,
    before,
    values: {
      ...{ ...places, evaluated, sourceOrder, targetCount: targets, sourceCount: sources, carry: 0 },
      sumLength: sumLength(sources),
    },
    scratch: {
      keys: 4 * keysWords(most),
      order: 4 * (evaluated + groups),
      packed: 16 * vectors * sources,
    },
  }
}

/** The dispatches that put a set in order. @param sources their number decides the number of cells */
function arranging(set: string, count: number, sources: number, orderFirst: number): readonly KnownDispatch[] {
  const values = { count, orderFirst }
  const [counting, gather] = cellNames(set)
  const cells = { values, size: cellGroups(gridRoom(sources)) }
  const points = { values, size: pointGroups(count) }
  return [
    { shader: 'clearCells', ...cells },
    { shader: counting, ...points },
    { shader: 'sumCells', ...cells },
    { shader: 'startCells', ...cells },
    { shader: 'placePoints', ...points },
    { shader: gather, ...points },
  ]
}
