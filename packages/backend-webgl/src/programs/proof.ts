/**
 * Float32 proven, not assumed: a known sum over pairs through everything that a sum of the caller's goes through: uploads,
 * packing, the loop over several rows of sources and a part of one, a state that goes on in a second slice, readback.
 *
 * All of it is whole numbers below 2^24, so that what is right is right to the bit. Each source's number needs 22 bits, and
 * so does each target's sum, which lacks its own: half precision anywhere, a texel read beside its place, a source left out
 * or counted twice, zeros: all give another sum.
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

/** In the middle of the third row. */
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

/** Of source n. Signs take turns, so that sums on the way stay below twice the largest of them. */
const weight = (n: number): number => sign(n) * (top - 2 * n)

/** The sum over all sources but the target itself. */
const expected = (target: number): number =>
  indices.reduce((total, n) => total + weight(n) + along(n) - along(target), 0) - weight(target)

/** Why results of this device cannot be trusted, or undefined. @throws {@link ProgramCompilationError} */
export async function disproof(host: GlHost, sheets: Sheets, info: DeviceInfo): Promise<string | undefined> {
  const { shape, bindings } = bind(workload, particles)
  const program = new PairProgram(host, sheets, workload, shape, info)
  try {
    await program.ready()
    const initial = await program.run(bindings, { sources: [0, secondSlice] })
    const { value = [] } = await program.run(bindings, { sources: [secondSlice, count], initial })
    const wrong = indices.find((target) => value[target] !== expected(target))
    if (wrong === undefined) return undefined
    const state = [...value].every((x) => x === 0) ? 'answers zeros' : 'does not compute in float32'
    return `the device ${state}: a sum of whole numbers gave ${value[wrong]} for ${expected(wrong)}; update its driver or use another backend`
  } finally {
    program.dispose()
  }
}
