/**
 * The memory of weights and openings, which phases of trees write before proxies are numbered.
 *
 * @module
 */
import type { Shape, TreeSetting } from '@manybody/core'
import { nodeCount } from '@manybody/core/backend'
import { mostGridPoints, openingBytes, partBytes, schemeBytes, weighPoints } from '../../design/proxy-layout.ts'
import type { RegionTable } from './regions.ts'

export interface ProxyOptions {
  readonly shape: Shape
  /** The attributes that proxies add up. */
  readonly weights: readonly string[]
  /** Bytes of a proxy as the loop reads it. */
  readonly recordBytes: number
  /** Bytes of a number of the device. */
  readonly number: number
}

/** The regions that phases write before proxies are numbered. @throws RangeError if grids have too many points */
export function weightTable({ shape, weights, number }: ProxyOptions, { proxies }: TreeSetting): RegionTable {
  const { sources } = shape
  if (proxies !== 'simplex' && proxies >= mostGridPoints)
    throw new RangeError(`"proxies" expected at most degree ${mostGridPoints - 1}, got ${proxies}`)
  return {
    weightParts: { bytes: Math.ceil(sources / weighPoints) * weights.length * partBytes },
    scheme: { bytes: schemeBytes },
    openings: { bytes: nodeCount(sources) * openingBytes },
    // `targets` is written after the last read of `weights` and `around`, and `around` after the last read of `weights`.
    weights: { bytes: number * sources * weights.length, within: 'targets' },
    around: { bytes: 8 * nodeCount(sources), within: 'weights' },
  }
}
