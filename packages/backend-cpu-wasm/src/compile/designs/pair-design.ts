/**
 * The design of a pair workload: combines its points, its fold and its loop.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { blockPoints, type Guard, isTilted, UnsupportedWorkloadError } from '@manybody/core/backend'
import {
  type ComponentLoop,
  guardReadsVector,
  keptPower,
  neededOfEqual,
  onceObstacle,
  type PairBody,
  pairBody,
} from '@manybody/core/expression'
import type { CoordinateBytes, OnceStore, PointStore, ResultLayout, Side } from '../../design/design.ts'
import type { Visit } from '../../design/loop-plan.ts'
import { stackBytes } from '../../design/order-layout.ts'
import { ModuleWriter, type WriterOptions } from '../expressions/module-writer.ts'
import type { FoldOf, SourceOrder } from '../folds/fold.ts'
import type { vectorSum } from '../folds/vector-sum.ts'
import type { OptionalPasses } from '../loops/block-loop.ts'
import type { defineMatrix } from '../loops/matrix-loop.ts'
import { definePass } from '../loops/pair-loop.ts'
import type { defineOnce } from '../loops/pairs-once-loop.ts'
import type { defineRangedPass } from '../loops/ranged-loop.ts'
import { type PointValues, pointValues, preparePoints, storesOf } from '../parts/points.ts'
import { registersFor } from '../plans/registers.ts'
import type { BlockParts } from './block-parts.ts'

export interface PairDesign {
  readonly writer: ModuleWriter
  readonly body: PairBody
  readonly targets: PointValues
  readonly sources: PointValues
  readonly results: readonly ResultLayout[]
  /** Number of targets in one unit of the phase `pairs`. */
  readonly unitTargets: number
  /** The most units in one call of that phase. */
  readonly callUnits: number
  readonly scratchBytes: number
  /** Number of registers of targets in the inner loop. */
  readonly registers: number
  readonly once?: OnceStore
  /** Bytes of a coordinate in the records of points, if these are put in order. */
  readonly coordinateBytes?: CoordinateBytes
  readonly points: Readonly<Record<Side, PointStore>>
}

export interface PairDesignOptions extends WriterOptions {
  /** Which coincident points to skip (`needsGuard`). */
  readonly guard: Guard
  /** Number of registers of targets in the inner loop; by default `registersFor` decides. */
  readonly registers: number | undefined
  /** How pairs are visited: `onceObstacle` and `visits-blocks.ts` tell which workloads allow it. */
  readonly visit: Visit
  /** Whether forces are divided by the inertia of each target at the end (`PairBodyOptions`). */
  readonly divides: boolean
  /** Whether blocks look for pairs by the sizes of points. */
  readonly sized?: true | undefined
  /** Whether to add neighbour lists with a skin, which a sequence reuses for several rounds. */
  readonly lasts?: boolean | undefined
  /** A node of the targets' tree with at most this many blocks lies in one unit as a whole. */
  readonly unitBlocks: number
}

/** Folds and loops. A page loads only those that it may need. */
export interface PairParts extends OptionalPasses {
  /** The fold of a workload; undefined for a matrix. */
  readonly foldOf: (workload: PairWorkload, order: SourceOrder) => FoldOf | undefined
  /** Absent if there are no matrices. */
  readonly defineMatrix?: typeof defineMatrix
  /** Absent if no loop visits blocks. */
  readonly blocks?: BlockParts
  /** Absent if no loop visits each pair once. */
  readonly defineOnce?: typeof defineOnce
  /** Absent if no run has ranges. */
  readonly defineRangedPass?: typeof defineRangedPass
  /** Absent if no term is a vector. */
  readonly vectorSum?: typeof vectorSum
}

/** A part that is loaded. @throws TypeError if it is absent, because a caller loaded too few */
function loaded<Part>(part: Part | undefined, purpose: string): Part {
  if (part === undefined) throw new TypeError(`Cannot design ${purpose}: only the parts of other loops are loaded`)
  return part
}

/** The number of components of a term that is a vector. */
const lengthIn = ({ vectors: [name = ''] }: ComponentLoop, lengths: Shape['lengths']): number =>
  lengths?.[name.slice(0, -2)] ?? 0

/** Writes the module of a pair workload. */
export function pairDesign(
  workload: PairWorkload,
  shape: Shape,
  options: PairDesignOptions,
  parts: PairParts,
): PairDesign {
  const { dimension } = shape
  const [once, ordered] = [options.visit === 'once', options.visit === 'blocks']
  const kept = keptPower(workload, dimension)
  const onceInUnits = ordered && kept === undefined && onceObstacle(workload, shape) === undefined
  const { guard, divides } = options
  const precision = options.vector.bytes === 4 ? 'f32' : 'f64'
  const reaction = once || onceInUnits
  const bodyOptions = {
    guard,
    precision,
    masked: true,
    roots: 'sqrt',
    reaction,
    divides,
    sizes: options.sized,
    vectors: true,
  } as const
  if (guard === 'per-pair' && guardReadsVector(workload, shape, precision))
    throw new UnsupportedWorkloadError(
      workload.law.name,
      'cpu-wasm',
      'whether points at one place have a term depends on its components',
    )
  const body = pairBody(workload, shape, bodyOptions)
  const writer = new ModuleWriter(options)
  const foldFor = parts.foldOf(workload, ordered ? 'any' : 'ascending')
  const { lengths } = shape
  const targets = pointValues(body, 'target', foldFor ? 'register' : 'record', lengths)
  const own = pointValues(body, 'source', foldFor ? 'record' : 'register', lengths)
  const sources = (kept && ordered && shape.sameSet && parts.nearestPass?.lanesOf(writer, targets, own)) || own
  const { attributes } = body
  const prepared = { run: body.run, folds: body.folds, lengths, dimension, ordered }
  preparePoints(writer, targets, { ...prepared, bindings: body.target, attributes: attributes.targets })
  if (!sources.laneAt)
    preparePoints(writer, sources, { ...prepared, bindings: body.source, attributes: attributes.sources })

  const exclusions = workload.domain.exclusions.length > 0
  const shared = { writer, body, targets, sources, dimension, exclusions }
  const points = { writer, body, targets, sources, points: storesOf(writer, targets, sources) }
  if (!foldFor) {
    const defineMatrix = loaded(parts.defineMatrix, 'a matrix')
    const scratchBytes = defineMatrix({ ...shared, ranged: options.visit === 'ranges' })
    const results = [{ name: 'value', entries: shape.sources, type: 'number', empty: 0, columns: true }] as const
    return { ...points, results, unitTargets: 1, callUnits: 64, scratchBytes, registers: 1 }
  }
  const components = body.form === 'radial' ? dimension : body.terms.length
  const { whole, ...folded } = body.vector
    ? loaded(parts.vectorSum, 'a sum of vectors')(
        writer,
        workload.results[0] ?? 'value',
        lengthIn(body.vector, lengths),
      )
    : foldFor(writer, components)
  // In the right-angled box, points are nearer than they are in a triclinic one, so no walk can tell that all pairs are within the cutoff.
  // Nor can it if each pair has its own, or if terms decide.
  const { boundary, cutoff } = workload.domain
  const counted = whole && workload.limit === undefined
  const fold = counted && !isTilted(boundary) && typeof cutoff?.distance !== 'string' ? { ...folded, whole } : folded
  const registers = ordered ? registersOfBlock(options) : (options.registers ?? registersFor(body))
  const tile = { ...shared, fold, registers }
  if (once) {
    const defineOnce = loaded(parts.defineOnce, 'a loop that visits each pair once')
    return { ...points, ...defineOnce(tile), unitTargets: 1, results: fold.results, registers }
  }
  const periodic = workload.domain.boundary.kind === 'periodic'
  const sides = orderedSides(shape)
  const split = shape.split === true
  // Float32 holds the coordinates, unless they have lower halves or move into a periodic box.
  const coordinateBytes = split || periodic ? 8 : writer.vector.bytes
  const blocks = ordered ? loaded(parts.blocks, 'a loop by blocks') : undefined
  if (blocks)
    for (const [n, side] of sides.entries())
      blocks.defineOrder(writer, side, {
        ...{ dimension, periodic, split, coordinateBytes },
        places: exclusions && n === sides.length - 1,
        boxesOfBlocks: true,
        lowest: kept !== undefined,
        // Images inside a box are equal only up to rounding.
        neededOfEqual: periodic ? undefined : neededOfEqual(workload, shape),
      })
  const direct = periodic && kept === undefined ? blocks?.directBody(workload, shape, body, bodyOptions) : undefined
  const pass = blocks
    ? blocks.defineBlockPass(
        {
          ...{
            ...tile,
            periodic,
            sameSet: shape.sameSet,
            direct,
            kept,
            once: onceInUnits,
            unitBlocks: options.unitBlocks,
          },
          lasts: options.lasts,
        },
        parts,
      )
    : options.visit === 'ranges'
      ? loaded(parts.defineRangedPass, 'a loop over ranges')(tile)
      : definePass(tile)
  const scratchBytes = Math.max(pass.scratchBytes, ordered ? stackBytes : 0)
  return { ...points, ...pass, ...(ordered ? { coordinateBytes } : {}), scratchBytes, results: fold.results, registers }
}

/** The sides with an order of their own. One set has one order. */
export function orderedSides({ sameSet }: Shape): readonly Side[] {
  return sameSet ? ['target'] : ['target', 'source']
}

/**
 * Targets in a piece of a block, if each piece has its own Verlet list. A smaller piece meets fewer pairs, and its sums fit in
 * registers.
 */
const lastingTargets = 4

/** Number of registers of targets that a tile takes at a time in a loop by blocks. @throws RangeError */
function registersOfBlock({
  vector,
  lasts,
  registers = (lasts ? lastingTargets : blockPoints) / vector.lanes,
}: PairDesignOptions): number {
  if (registers * vector.lanes > blockPoints)
    throw new RangeError(
      `"registers" expected at most ${blockPoints / vector.lanes}, because a block has ${blockPoints} points, got ${registers}`,
    )
  return registers
}
