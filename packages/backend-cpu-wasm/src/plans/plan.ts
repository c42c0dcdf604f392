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
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import { cancelsInertia, onceObstacle, type PairBody } from '@manybody/core/backend'
import { children, type Expr } from '@manybody/core/expression'
import { isInstruction } from '../expressions/functions.ts'
import { relaxedSimd } from '../host/features.ts'
import { oncePays, onceTile } from './once-model.ts'
import { visitsBlocks } from './visits-blocks.ts'

export interface LoopPlan {
  /** Whether products and sums may be fused. */
  readonly fused: boolean
  /** Number of registers of targets in the inner loop; by default `registersFor` decides. */
  readonly registers: number | undefined
  /** Number of sources in a tile. */
  readonly tile: number
  /** How whole runs visit pairs. */
  readonly visit: Visit
}

/** All pairs; each pair once; pairs of blocks that are near each other; or those in the ranges that the caller gives. */
export type Visit = 'all' | 'once' | 'blocks' | 'ranges'

const variants = ['simd', 'pairs-once', 'blocks', 'simd-relaxed', 'pairs-once-relaxed']
export const registerCounts: readonly number[] = [1, 2, 4]
/** Default number of sources in a tile: their values fit the first-level cache, and errors of sums are about the least. */
export const tileSources = 256
/** With `pairs-once` a tile holds whole units of targets. The mask of the largest tile takes 4 MiB per thread. */
const [leastTile, mostTile] = [16, 65536]

/** The most bytes for the totals of all threads, unless a plan requests the variant. */
const onceBytes = 2 ** 28

/** Completes a plan. @throws RangeError if it names a variant or size that does not exist here */
export function loopPlan(
  plan: Plan | undefined,
  workload: Workload,
  shape: Shape,
  { threads }: { readonly threads: number },
): LoopPlan {
  const obstacle = workload.loop === 'pair' ? onceObstacle(workload, shape) : 'its loop visits no pairs'
  const pays = workload.loop === 'pair' && oncePays(shape.targets, threads) && onceFits(workload, shape, threads)
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
  if (blocks && !(workload.loop === 'pair' && visitsBlocks(workload, shape)))
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
  return { fused, registers, tile, visit: once ? 'once' : blocks ? 'blocks' : all }
}

/** Whether the totals of all threads are small enough to visit each pair once by default. */
export function onceFits(workload: PairWorkload, shape: Shape, threads: number): boolean {
  return onceObstacle(workload, shape) === undefined && threads * shape.targets * 24 <= onceBytes
}

/**
 * Whether each pair has one force, which is divided by the inertia of each target at the end. Fused products and sums make two
 * accelerations as fast.
 */
export function sharesForces(workload: Workload, { dimension }: Shape, { visit, fused }: LoopPlan): boolean {
  return workload.loop === 'pair' && visit === 'once' && !fused && cancelsInertia(workload, dimension)
}

/** Number of operations per pair beyond which four registers of targets hide each other's latency. */
const longLoop = 33

/**
 * The number of registers of targets that suits a loop. Short loops with a division wait for the divider, so one is enough.
 * Short loops without a division save loads of sources with two. Long loops overlap their dependent chains with four.
 */
export function registersFor(body: PairBody): 1 | 2 | 4 {
  if (expressionsOf(body).reduce((total, e) => total + operations(e), 0) > longLoop) return 4
  return expressionsOf(body).some(divides) ? 1 : 2
}

export const expressionsOf = ({ loop, terms, reaction, keep }: PairBody): readonly Expr[] => [
  ...loop.map((b) => b.expr),
  ...terms,
  ...reaction,
  ...(keep ? [keep] : []),
]

/** Number of operations, of which a function has many. */
function operations(e: Expr): number {
  const own = e.kind !== 'call' ? children(e).length - 1 : isInstruction(e.name) ? 1 : longLoop
  return children(e).reduce((total, child) => total + operations(child), Math.max(0, own))
}

function divides(e: Expr): boolean {
  return e.kind === 'power' || children(e).some(divides)
}
