/**
 * Bodies that bounce: each pair that approaches parts again along the line between its points. The momentum is conserved, and with a
 * restitution of 1 the energy.
 *
 * Pairs bounce one after the other in ascending order, each with the velocities that earlier ones left.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { Written } from '../stepping/written.ts'
import { displacement, type System } from './conditions.ts'
import type { TouchingPair } from './touching.ts'

interface Bouncing extends System {
  readonly restitution: number
  readonly masses: FloatArray
  readonly fixed: ReadonlySet<number>
}

/** The pairs that bounced, and the new velocities of their points; undefined if no pair approaches. */
export function bounced(
  pairs: readonly TouchingPair[],
  bouncing: Bouncing,
): { readonly pairs: readonly TouchingPair[]; readonly velocity: Written } | undefined {
  const { arrays, dimension, restitution, masses, fixed } = bouncing
  const velocity = Float64Array.from(arrays.velocity)
  const parted = pairs.filter(([i, j]) => {
    const line = Array.from({ length: dimension }, (_, axis) => displacement(bouncing, i, j, axis))
    const distance = Math.hypot(...line)
    const [first, second] = sharesOf(i, j, masses, fixed)
    if (distance === 0 || first + second === 0) return false
    const normal = line.map((d) => d / distance)
    const approach = normal.reduce(
      (sum, n, axis) =>
        sum + n * ((velocity[j * dimension + axis] as number) - (velocity[i * dimension + axis] as number)),
      0,
    )
    if (approach >= 0) return false
    for (const [axis, n] of normal.entries()) {
      const change = (1 + restitution) * approach * n
      velocity[i * dimension + axis] = (velocity[i * dimension + axis] as number) + first * change
      velocity[j * dimension + axis] = (velocity[j * dimension + axis] as number) - second * change
    }
    return true
  })
  if (parted.length === 0) return undefined
  const points = [...new Set(parted.flat())].sort((a, b) => a - b)
  const numbers = Float64Array.from(
    { length: dimension * points.length },
    (_, k) => velocity[(points[Math.floor(k / dimension)] as number) * dimension + (k % dimension)] as number,
  )
  const of = points.map((point) => bouncing.points[point] as number)
  return { pairs: parted, velocity: { name: 'velocity', width: dimension, numbers, points: of } }
}

/** How the change of the relative velocity divides between the points of a pair. Fixed points take none. */
function sharesOf(i: number, j: number, masses: FloatArray, fixed: ReadonlySet<number>): readonly [number, number] {
  if (fixed.has(i)) return [0, fixed.has(j) ? 0 : 1]
  if (fixed.has(j)) return [1, 0]
  const [one, other] = [masses[i] as number, masses[j] as number]
  return one + other > 0 ? [other / (one + other), one / (one + other)] : [0.5, 0.5]
}
