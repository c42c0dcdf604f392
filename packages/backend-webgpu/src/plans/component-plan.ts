/**
 * The sizes of the loops in which pairs meet component by component: which a law and a device allow, and which the model takes.
 *
 * @module
 */

import type { Plan } from '@manybody/core'
import {
  componentBytes,
  componentsAtOnce,
  type TileSizes,
  tileInMemory,
  tileInRegisters,
} from '../design/component-tile.ts'
import type { LoopShape } from '../design/loop-shape.ts'
import type { PairCase, VectorCase } from './pair-case.ts'

type Sizes = Pick<LoopShape, 'workgroup' | 'slices' | 'targets' | 'unroll'>

/** Why pairs of a law cannot meet component by component in these sizes; undefined if they can. */
export function tileObstacle(staging: LoopShape['staging'], asked: Sizes, c: PairCase): string | undefined {
  if (staging !== 'components' && staging !== 'numbers') return undefined
  const { sums, vectors } = c
  if (!vectors) return 'is only for laws that read vectors of both points'
  // Other folds have branches, and unrolled ones take drivers minutes to compile.
  if (staging === 'components' && !sums) return 'is only for sums'
  return staging === 'components' ? obstacleInRegisters(asked, vectors, c) : obstacleInMemory(asked, vectors, c)
}

function obstacleInRegisters(asked: Sizes, vectors: VectorCase, c: PairCase): string | undefined {
  const sizes = tileInRegisters(asked)
  const { members, slices, targets, sources } = sizes
  if (slices < 2 || targets % 4 > 0 || sources % 4 > 0 || sources > members)
    return `needs slices, and targets and unroll that are multiples of 4, with unroll at most ${Math.floor(members)}, workgroup/slices`
  return obstacleOf(sizes, slices * sources, 0, asked, vectors, c)
}

function obstacleInMemory(asked: Sizes, vectors: VectorCase, c: PairCase): string | undefined {
  const { workgroup, slices, targets, unroll } = asked
  const sizes = tileInMemory(asked)
  const { members } = sizes
  if (slices < 2 || targets > 1 || members % 1 > 0 || unroll % 4 > 0 || members * sizes.slices > workgroup)
    return `needs slices, one target, workgroup/slices and unroll that are multiples of 4, and unroll at most ${16 * slices}, 16 times slices`
  return obstacleOf(sizes, unroll, 4 * vectors.numbers * unroll * (workgroup / slices), asked, vectors, c)
}

function obstacleOf(
  sizes: TileSizes,
  sources: number,
  bytesOfNumbers: number,
  { workgroup }: Sizes,
  { counts }: VectorCase,
  { sourceBytes, words, memory }: PairCase,
): string | undefined {
  if (sources > workgroup) return `has ${workgroup} invocations to load ${sources} sources`
  if (componentsAtOnce(sizes, counts) < 1) return 'has too few invocations to load the vectors'
  const bytes = componentBytes(sizes, counts) + sources * sourceBytes + bytesOfNumbers + 4 * workgroup * words
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

/** Whether the model takes such a tile in registers. */
export const tilesPay = (sizes: Sizes, c: PairCase): boolean =>
  (c.vectors?.numbers ?? Infinity) <= mostFunctions &&
  c.words <= mostWords &&
  tileObstacle('components', fittingTile(sizes, c), c) === undefined

/** Plans for a law of vectors that are worth comparing by time. */
export function componentPlans(c: PairCase): readonly Plan[] {
  const tiles = [
    ...[4, 16].map((parts) => ({
      variant: 'components',
      sizes: { workgroup: 256, slices: 16, targets: 8, unroll: 8, parts },
    })),
    ...[8, 32].map((parts) => ({
      variant: 'components',
      sizes: { workgroup: 64, slices: 8, targets: 4, unroll: 4, parts },
    })),
    ...[1, 4, 32].map((parts) => ({
      variant: 'shared-components',
      sizes: { workgroup: 128, slices: 2, targets: 1, unroll: 32, parts },
    })),
  ] as const
  return tiles.filter(({ variant, sizes }) => {
    const staging = variant === 'components' ? 'components' : 'numbers'
    return sizes.workgroup <= c.invocations && tileObstacle(staging, sizes, c) === undefined
  })
}
