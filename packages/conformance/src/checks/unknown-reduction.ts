/**
 * An unknown reduction must be refused. A device that treats it as another would silently give wrong numbers.
 *
 * @module
 */
import { attributeSum, type PairWorkload, type Reduction, reduce, UnsupportedWorkloadError } from '@manybody/core'
import { bind, deviceNumbers } from '@manybody/core/judge'
import type { Check } from './check.ts'

/** A name that only a later version may have. */
export const unknownReduction = 'median'

const known = reduce('max', attributeSum())
const unknown: PairWorkload = { ...known, reduction: unknownReduction as Reduction }
const particles = { position: new Float64Array(6), p: new Float64Array(2) }

export const unknownReductionChecks: readonly Check[] = [
  {
    name: 'reductions: an unknown one is refused',
    async faults(device) {
      const { shape } = deviceNumbers(bind(known, particles), device.info.precision)
      try {
        const program = await device.prepare(unknown, shape)
        program.dispose()
        return [`prepare expected to refuse the reduction "${unknownReduction}", but accepts it`]
      } catch (error) {
        if (error instanceof UnsupportedWorkloadError) return []
        const message = error instanceof Error ? error.message : String(error)
        return message.includes(`"${unknownReduction}"`)
          ? []
          : [`prepare expected to name the reduction "${unknownReduction}" that it refuses, got "${message}"`]
      }
    },
  },
]
