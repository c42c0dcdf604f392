/**
 * The variants of a loop by name, and the choice if none is requested.
 *
 * - `simd`: WebAssembly SIMD over every ordered pair. One, two or four registers of targets at a time (size `registers`; by
 *   default as many as suit the length of the loop) meet tiles of sources (size `tile`);
 * - `pairs-once`: visits each pair once, and adds to both points; for symmetric sums over one set without exclusions. It is
 *   the default where `oncePays`; its tiles suit the number of threads; runs over ranges use `simd`;
 * - `blocks`: computes pairs within a cutoff, or the nearest sources, by blocks of 8 points that are close together; each block
 *   meets only the blocks near it. It is the default in runs where `blocksModel` says so; runs over ranges use `simd`;
 * - `simd-relaxed`, `pairs-once-relaxed`: the same with fused multiply-adds, if the engine has relaxed SIMD.
 *
 * @module
 */
import type { Plan, Shape } from '@manybody/core'
import { blockPoints } from '@manybody/core/backend'
import { type LoopPlan, leastUnitBlocks, tileSources } from '../../design/loop-plan.ts'
import type { PairFacts, PlanFacts } from '../../design/plan-facts.ts'
import { relaxedSimd } from '../host/features.ts'
import { oncePays, onceTile } from './once-model.ts'

const variants = ['simd', 'pairs-once', 'blocks', 'simd-relaxed', 'pairs-once-relaxed']
export const registerCounts: readonly number[] = [1, 2, 4]
/** With `pairs-once` a tile holds whole units of targets. The mask of the largest tile takes 4 MiB per thread. */
const [leastTile, mostTile] = [16, 65536]

/** The most bytes for the totals of all threads, unless a plan requests the variant. */
const onceBytes = 2 ** 28

/** Completes a plan. @throws RangeError if it names a variant or size that does not exist here */
export function loopPlan(
  plan: Plan | undefined,
  { pair }: PlanFacts,
  shape: Shape,
  { threads }: { readonly threads: number },
): LoopPlan {
  const obstacle = pair ? pair.onceObstacle : 'its loop visits no pairs'
  const pays = pair && oncePays(shape.targets, threads) && onceFits(pair, shape, threads)
  const { variant = pays ? 'pairs-once' : 'simd', sizes = {} } = plan ?? {}
  if (!variants.includes(variant))
    throw new RangeError(`"variant" expected ${variants.join(' or ')}, got ${JSON.stringify(variant)}`)
  const fused = variant.endsWith('-relaxed')
  if (fused && !relaxedSimd())
    throw new RangeError(
      `"variant" expected one without -relaxed, because this engine lacks relaxed SIMD, got "${variant}"`,
    )
  const once = variant.startsWith('pairs-once')
  const blocks = variant === 'blocks'
  if (blocks && !pair?.blocks)
    throw new RangeError(
      `"variant" expected simd, because blocks need a cutoff or a search for the nearest, without ranges, got "${variant}"`,
    )
  if (once && obstacle !== undefined)
    throw new RangeError(`"variant" expected simd, because ${obstacle}, got "${variant}"`)
  const unknown = Object.keys(sizes).find((size) => size !== 'registers' && size !== 'tile')
  if (unknown !== undefined) throw new RangeError(`"sizes" expected registers or tile, got ${unknown}`)
  const { registers, tile = once ? onceTile(shape.targets, threads) : tileSources } = sizes
  if (registers !== undefined && !registerCounts.includes(registers))
    throw new RangeError(`"registers" expected ${registerCounts.join(' or ')}, got ${registers}`)
  if (!(Number.isInteger(tile / leastTile) && tile >= leastTile && tile <= mostTile))
    throw new RangeError(`"tile" expected a multiple of ${leastTile} up to ${mostTile}, got ${tile}`)
  const all = shape.ranged ? 'ranges' : 'all'
  const unitBlocks = blocks ? unitBlocksOf(pair, shape, threads) : leastUnitBlocks
  return { fused, registers, tile, visit: once ? 'once' : blocks ? 'blocks' : all, unitBlocks }
}

/** If pairs in a unit are met once, large units save more pairs, but every thread needs some units, so that all end together. */
function unitBlocksOf(pair: PairFacts | undefined, { targets }: Shape, threads: number): number {
  if (!pair || pair.kept !== undefined || pair.onceObstacle !== undefined) return leastUnitBlocks
  const share = Math.floor(targets / (Math.max(leastUnits, unitsOfThread * threads) * blockPoints))
  return Math.max(leastUnitBlocks, Math.min(mostUnitBlocks, share))
}
/** The fewest units in all are just below 16, because a node that is halved again and again has just over a sixteenth of the points. */
const [mostUnitBlocks, leastUnits, unitsOfThread] = [256, 15, 3.75]

/** Whether the totals of all threads are small enough to visit each pair once by default. */
export function onceFits(pair: PairFacts, shape: Shape, threads: number): boolean {
  return pair.onceObstacle === undefined && threads * shape.targets * 24 <= onceBytes
}

/**
 * Whether each pair has one force, and the inertia of each target divides it at the end. With fused products and sums, two
 * accelerations are as fast, so forces are not shared.
 */
export function sharesForces({ pair }: PlanFacts, { visit, fused }: LoopPlan): boolean {
  return visit === 'once' && !fused && pair?.cancelsInertia === true
}

/** The least number of points of either set. With fewer, a call is over before it could choose. */
const fewestPoints = 64
/** The largest number of results. Each has a second copy in the order of places. */
const mostResults = 3 * 2 ** 26

/** Whether runs of a program may visit blocks although no plan names them. */
export function mayVisitBlocks(
  { blocks, perTarget }: PairFacts,
  { targets, sources }: Shape,
  { visit }: LoopPlan,
): boolean {
  if (visit === 'blocks' || !blocks) return false
  return Math.min(targets, sources) >= fewestPoints && targets * perTarget <= mostResults
}
