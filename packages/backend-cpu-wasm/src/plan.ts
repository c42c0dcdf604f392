/**
 * The shapes that a loop can have here, by name, and which is taken when none is asked for.
 *
 * - `simd`: WebAssembly SIMD, one to four registers of targets at a time (size `registers`);
 * - `simd-relaxed`: the same with fused multiply-adds, where the engine has relaxed SIMD.
 *
 * @module
 */
import type { Plan } from '@manybody/core'
import { relaxedSimd } from './features.ts'

export interface ThreadPlan {
  /** Whether products and sums may be fused. */
  readonly fused: boolean
  /** Registers of targets in the inner loop. */
  readonly registers: number
}

const variants = ['simd', 'simd-relaxed']
const registerCounts = [1, 2, 4]

/** Completes a plan. @throws RangeError if it names a variant or size that does not exist here */
export function threadPlan(plan: Plan | undefined): ThreadPlan {
  const { variant = 'simd', sizes = {} } = plan ?? {}
  if (!variants.includes(variant))
    throw new RangeError(`"variant" expected ${variants.join(' or ')}, got ${JSON.stringify(variant)}`)
  if (variant === 'simd-relaxed' && !relaxedSimd())
    throw new RangeError('"variant" expected simd, as this engine has no relaxed SIMD, got "simd-relaxed"')
  const { registers = 2 } = sizes
  if (!registerCounts.includes(registers))
    throw new RangeError(`"registers" expected ${registerCounts.join(' or ')}, got ${registers}`)
  return { fused: variant === 'simd-relaxed', registers }
}
