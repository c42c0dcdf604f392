/**
 * Proves float32 when a device is opened: runs a known sum over pairs through every step that a caller's sum takes. These
 * are uploads, packing, the loop over several full rows of sources and a partial one, for several targets at a time where the
 * device can draw several texels, a state that continues in a second slice, and readback.
 *
 * All numbers are whole and below 2^24, so a correct result is exact. The weight of each source needs 22 bits, and each
 * target's sum leaves out a different source. So the sum is wrong if anything is rounded to half precision, a neighbouring
 * texel is read, a source is left out or counted twice, or the device returns zeros.
 *
 * @module
 */
import { type DeviceInfo, pairTerm, sum } from '@manybody/core'
import { bind } from '@manybody/core/backend'
import type { GlHost } from '../host/host.ts'
import type { Sheets } from '../host/memory.ts'
import { PairProgram } from './pair-program.ts'

/** More than two rows of sources, and more than one of the flat sheet of their positions. */
const count = 600

/** First source of the second slice, in the middle of the third row. */
const secondSlice = 555

const top = 2 ** 22 - 1
const sign = (n: number): number => (n % 2 === 0 ? 1 : -1)
const place = (n: number): readonly [number, number, number] => [n % 5, n % 7, n % 11]
const along = (n: number): number => place(n).reduce((total, x, axis) => total + x * 2 ** axis, 0)

const indices: readonly number[] = Array.from({ length: count }, (_, n) => n)
const particles = {
  position: Float32Array.from(indices.flatMap(place)),
  sign: Float32Array.from(indices, sign),
  low: Float32Array.from(indices, (n) => 2 * n),
}
const workload = sum(pairTerm('sign_j * (top - low_j) + dx + 2*dy + 4*dz', { parameters: { top } })())

/** The weight of source n. Signs alternate, so that partial sums stay below twice the largest weight. */
const weight = (n: number): number => sign(n) * (top - 2 * n)

/** The sum for a target: over all sources but itself. */
const expected = (target: number): number =>
  indices.reduce((total, n) => total + weight(n) + along(n) - along(target), 0) - weight(target)

/** Why this device fails the proof; undefined if it passes. @throws {@link ProgramCompilationError} */
export async function disproof(host: GlHost, sheets: Sheets, info: DeviceInfo): Promise<string | undefined> {
  const { shape, bindings } = bind(workload, particles)
  // As with many points, several targets at a time.
  const program = new PairProgram(host, sheets, workload, shape, info, { ...host.dialect, tileRows: 1 })
  try {
    await program.ready()
    const initial = await program.run(bindings, { sources: [0, secondSlice] })
    const { value = [] } = await program.run(bindings, { sources: [secondSlice, count], initial })
    const wrong = indices.find((target) => value[target] !== expected(target))
    if (wrong === undefined) return undefined
    const state = [...value].every((x) => x === 0) ? 'returns zeros' : 'does not compute in float32'
    return `the device ${state}: a sum of whole numbers gave ${value[wrong]} instead of ${expected(wrong)}; update its driver or use another backend`
  } finally {
    program.dispose()
  }
}
