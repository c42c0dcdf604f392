/**
 * The shapes that a loop can have here, by name, and which is taken when none is asked for.
 *
 * - `simd`: WebAssembly SIMD, every ordered pair; one, two or four registers of targets at a time (size
 *   `registers`; by itself as many as suit the length of the loop), against tiles of sources (size `tile`);
 * - `scalar`: the same without vectors, for comparison, and taken by itself where the engine has no SIMD;
 * - `pairs-once`: each pair once, both points receive; for symmetric sums over one set without exclusions. Taken by
 *   itself where `onceModel` says so; runs over ranges use `simd`;
 * - `blocks`: pairs within a cutoff by blocks of 8 points that lie close together, which meet the blocks near them; runs over
 *   ranges use `simd`. Never taken by itself;
 * - `simd-relaxed`, `pairs-once-relaxed`: the same with fused multiply-adds, where the engine has relaxed SIMD.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import type { PairBody } from '@manybody/core/backend'
import { children, type Expr, functions } from '@manybody/core/expression'
import { relaxedSimd, simd } from '../host/features.ts'
import { visitsBlocks } from './visits-blocks.ts'
import { visitsOnce } from './visits-once.ts'

export interface LoopPlan {
  /** Whether numbers are computed one at a time. */
  readonly scalar: boolean
  /** Whether products and sums may be fused. */
  readonly fused: boolean
  /** Registers of targets in the inner loop; undefined: as many as suit it. */
  readonly registers: number | undefined
  /** Sources in a tile. */
  readonly tile: number
  /** How whole runs visit pairs. */
  readonly visit: Visit
  /** Whether registers lie in pairs, for the engine to make one of them. */
  readonly wide: boolean
}

/** All pairs; each pair once; or pairs of blocks that are near each other. */
export type Visit = 'all' | 'once' | 'blocks'

const variants = ['scalar', 'simd', 'pairs-once', 'blocks', 'simd-relaxed', 'pairs-once-relaxed']
export const registerCounts: readonly number[] = [1, 2, 4]
/** Their values stay in the first-level cache, and errors of sums are least about there. */
export const tileSources = 256
/** A tile holds whole units of targets where each pair is visited once; the mask of the largest is 4 MiB a thread. */
const [leastTile, mostTile] = [16, 65536]

/** When each pair is visited once without being asked for, and in which tiles. */
export interface OnceRow {
  /** Points, at least. */
  readonly from: number
  readonly pays: boolean
  /** Few points take small tiles: blocks that meet themselves would be a large share of the work. */
  readonly tile: number
  /** A record that timed both ways, or a sentence that says why none did. */
  readonly record: string
}

const rivals = 'bench/records/2026-11-23-rivals.json'

/** The first row that matches. No record compares tiles. */
export const onceModel: readonly OnceRow[] = [
  { from: 2048, pays: true, tile: tileSources, record: rivals },
  { from: 256, pays: true, tile: 64, record: rivals },
  { from: 0, pays: false, tile: 64, record: 'not recorded' },
]

const onceRow = (points: number): OnceRow | undefined => onceModel.find(({ from }) => points >= from)

/** The most bytes for the totals of all threads, unless a plan requests the variant. */
const onceBytes = 2 ** 28

/** Completes a plan. @throws RangeError if it names a variant or size that does not exist here */
export function loopPlan(
  plan: Plan | undefined,
  workload: Workload,
  shape: Shape,
  { threads, widens }: { readonly threads: number; readonly widens: boolean },
): LoopPlan {
  const able = workload.loop === 'pair' && visitsOnce(workload, shape)
  const row = onceRow(shape.targets)
  const pays = able && row?.pays && onceFits(workload, shape, threads)
  const { variant = simd() ? (pays ? 'pairs-once' : 'simd') : 'scalar', sizes = {} } = plan ?? {}
  if (!variants.includes(variant))
    throw new RangeError(`"variant" expected ${variants.join(' or ')}, got ${JSON.stringify(variant)}`)
  const scalar = variant === 'scalar'
  if (!(scalar || simd()))
    throw new RangeError(`"variant" expected scalar, as this engine lacks SIMD, got "${variant}"`)
  const fused = variant.endsWith('-relaxed')
  if (fused && !relaxedSimd())
    throw new RangeError(`"variant" expected one without relaxed SIMD, which this engine lacks, got "${variant}"`)
  const once = variant.startsWith('pairs-once')
  const blocks = variant === 'blocks'
  if (blocks && !(workload.loop === 'pair' && visitsBlocks(workload)))
    throw new RangeError(
      `"variant" expected simd, as only workloads with a cutoff that keep no matrix visit blocks, got "${variant}"`,
    )
  if (once && !able)
    throw new RangeError(
      `"variant" expected simd, as only symmetric sums over one set without exclusions visit each pair once, got "${variant}"`,
    )
  const unknown = Object.keys(sizes).find((size) => size !== 'registers' && size !== 'tile')
  if (unknown !== undefined) throw new RangeError(`"sizes" expected registers or tile, got ${unknown}`)
  const { registers, tile = (once && row?.tile) || tileSources } = sizes
  if (registers !== undefined && !registerCounts.includes(registers))
    throw new RangeError(`"registers" expected ${registerCounts.join(' or ')}, got ${registers}`)
  if (!(Number.isInteger(tile / leastTile) && tile >= leastTile && tile <= mostTile))
    throw new RangeError(`"tile" expected a multiple of ${leastTile} up to ${mostTile}, got ${tile}`)
  const sums = workload.loop === 'pair' && workload.reduction === 'sum'
  const wide = widens && !scalar && sums && registers !== 1 && !blocks
  return { scalar, fused, registers, tile, visit: once ? 'once' : blocks ? 'blocks' : 'all', wide }
}

/** Whether each pair may be visited once without being asked for. */
export function onceFits(workload: PairWorkload, shape: Shape, threads: number): boolean {
  return visitsOnce(workload, shape) && threads * shape.targets * 24 <= onceBytes
}

/** Operations of one pair beyond which four registers of targets hide each other's latency. */
const longLoop = 30

/**
 * Registers of targets that suit a loop: short loops wait for the one divider, and gain nothing by more than one; those
 * without a division save loads of sources with two; long ones overlap their dependent chains with four.
 */
export function registersFor({ loop, terms, reaction, keep }: PairBody): 1 | 2 | 4 {
  const expressions = [...loop.map((b) => b.expr), ...terms, ...reaction, ...(keep ? [keep] : [])]
  if (expressions.reduce((total, e) => total + operations(e), 0) > longLoop) return 4
  return expressions.some(divides) ? 1 : 2
}

function operations(e: Expr): number {
  const own = e.kind === 'call' ? functions[e.name].cost : Math.max(0, children(e).length - 1)
  return children(e).reduce((total, child) => total + operations(child), own)
}

function divides(e: Expr): boolean {
  return e.kind === 'power' || children(e).some(divides)
}
