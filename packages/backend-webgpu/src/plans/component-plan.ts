/**
 * The sizes of the loop in which pairs meet component by component: which a law and a device allow, and which the model takes.
 *
 * @module
 */
import { componentBytes, componentsAtOnce, tileSizes } from '../design/component-tile.ts'
import type { LoopShape } from '../design/loop-shape.ts'
import type { PairCase } from './pair-case.ts'

type Sizes = Pick<LoopShape, 'workgroup' | 'slices' | 'targets' | 'unroll'>

/** Why pairs of a law cannot meet component by component in tiles of these sizes; undefined if they can. */
export function tileObstacle(
  asked: Sizes,
  { sums, vectors, sourceBytes, words, memory }: PairCase,
): string | undefined {
  // Other folds have branches, and unrolled ones take drivers minutes to compile.
  if (!sums || !vectors) return 'is only for sums of laws that read vectors of both points'
  const sizes = tileSizes(asked)
  const { members, slices, targets, sources } = sizes
  if (slices < 2 || targets % 4 > 0 || sources % 4 > 0 || sources > members)
    return `needs slices, and targets and unroll that are multiples of 4, with unroll at most ${Math.floor(members)}, workgroup/slices`
  if (componentsAtOnce(sizes, vectors.counts) < 1) return 'has too few invocations to load the vectors'
  const bytes = componentBytes(sizes, vectors.counts) + slices * sources * sourceBytes + 4 * asked.workgroup * words
  return bytes > memory ? `needs ${bytes} bytes of workgroup memory, and the device has ${memory}` : undefined
}

/** Numbers of pairs that an invocation keeps in registers, and numbers of its targets. */
const [mostNumbers, mostOfTargets] = [64, 64]

/** The tile of a row for a law: smaller if a pair or a target has many numbers. */
export function fittingTile<S extends Pick<Sizes, 'targets' | 'unroll'>>(sizes: S, c: PairCase): S {
  const numbers = c.vectors?.numbers ?? 1
  const targets = c.registers * sizes.targets > mostOfTargets || numbers > 2 ? 4 : sizes.targets
  return { ...sizes, targets, unroll: numbers * targets * sizes.unroll > mostNumbers ? 4 : sizes.unroll }
}

/** Numbers of a target beyond which other loops keep more of them in registers. */
const mostWords = 4
/** Functions of vectors of a pair beyond which a tile is too small. */
const mostFunctions = 4

/** Whether the model takes such a tile. */
export const tilesPay = (sizes: Sizes, c: PairCase): boolean =>
  (c.vectors?.numbers ?? Infinity) <= mostFunctions &&
  c.words <= mostWords &&
  tileObstacle(fittingTile(sizes, c), c) === undefined
