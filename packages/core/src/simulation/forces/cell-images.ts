/**
 * Images of points in a cell that is smaller than two cutoffs: before each sum over pairs, stages copy the sources into a box of several
 * cells, as runs do (`problem/workloads/copied-cells.ts`).
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { copiesIn, isTilted } from '../../problem/workloads/domain.ts'
import { energy } from '../../problem/workloads/pair.ts'
import { boxesIn, boxParameters } from '../../problem/workloads/parameters.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import { attributesRead } from '../../problem/workloads/quantity.ts'
import type { Lengths } from '../../problem/workloads/vector-sets.ts'
import type { Dimension, MapWorkload } from '../../problem/workloads/workload.ts'
import { boxSymbol, boxSymbols } from '../numbers/box.ts'
import type { PairPart } from './pair-part.ts'

/** The arrays of images. */
export const imageNames = {
  /** The point that it is an image of. */
  of: 'imageOf',
  /** Of vectors with so many components, laid out one after the other: the component that each is an image of. */
  ofComponents: (width: number): string => `imageOf${width}`,
  /** How many cells it is away along each vector of the box. */
  cell: 'imageCell',
} as const

/** Whether sources act through several images. */
export const hasImages = (pair: PairPart | undefined): pair is PairPart =>
  pair !== undefined && !pair.method && copiesIn(pair.workload.domain) !== undefined

/** The arrays of sources that a sum over pairs, or its energy, reads beside their positions. */
export function imagedArrays({ law, domain, workload }: PairPart, dimension: Dimension): readonly string[] {
  const all = law.kind === 'potential' ? [workload, energy(law, domain)] : [workload]
  return [...new Set(all.flatMap((one) => attributesRead(one, dimension).sources))].filter(
    (name) => name !== 'position',
  )
}

/** A map from points to their images, the array that it fills, and the vectors that it reads. */
interface ImageMap {
  readonly workload: MapWorkload
  readonly into: string
  readonly vectors: readonly string[]
  /** How many numbers of a point it visits one by one. */
  readonly width: number
}

/**
 * The maps that copy the sources of a sum over pairs; none if each source acts through one image.
 *
 * @param square positions in a triclinic box
 * @param lengths of vectors of any length
 */
export function imageMaps(pair: PairPart, dimension: Dimension, square: string, lengths: Lengths): readonly ImageMap[] {
  if (!hasImages(pair)) return []
  const { boundary } = pair.workload.domain
  const sides = boundary.kind === 'periodic' ? boundary.lengths : []
  // Points of a triclinic box are in a right-angled one, which grows in proportion.
  const sizes = boxesIn(boxParameters(boundary))
  const { of: at, cell } = imageNames
  const places = axesOf(dimension).map((axis, n) => {
    const share = (sizes[n] || 0) / (sides[n] || 1)
    return share === 0 ? `source_${axis}` : `source_${axis} + ${cell}_${axis}*${share}*${boxSymbol(n)}`
  })
  const source = { source: { of: isTilted(boundary) ? square : 'position', at } }
  const placed = gatherMap({ image: places }, source, Object.fromEntries(boxSymbols(boundary)))
  return [
    { workload: placed, into: 'position', vectors: ['source', cell], width: 1 },
    ...imagedArrays(pair, dimension).map((name) => {
      const width = lengths[name] ?? 1
      const source = { of: name, at: width === 1 ? at : imageNames.ofComponents(width) }
      return { workload: gatherMap({ image: 'source' }, { source }), into: name, vectors: [], width }
    }),
  ]
}
