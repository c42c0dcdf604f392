/**
 * Proves float32 when a device is opened: runs a known sum over pairs through every step of a caller's sum. The steps are
 * uploads, packing, the loop, a state that continues in a second slice, and readback. The loop has several full rows of sources
 * and a partial one. If the device can draw several texels, it also has several targets at a time.
 *
 * All numbers are whole and below 2^24, so a correct result is exact. The weight of each source needs 22 bits, and each
 * target's sum leaves out a different source. So the sum is wrong if anything is rounded to half precision, a neighbouring
 * texel is read, a source is left out or counted twice, or the device returns zeros.
 *
 * @module
 */
import type { Bindings, PointSet, Shape } from '@manybody/core'
import { Guarded } from '@manybody/core/backend'
import type { PairDesign } from '../../design/design.ts'
import type { DeviceFacts } from '../../design/facts.ts'
import { PairProgram } from './pair-program.ts'
import type { OpenedHost } from './program.ts'
import { proofDesigns } from './proof-designs.ts'

/** More than two rows of sources, and more than one of the flat sheet of their positions. */
const count = 600

/** First source of the second slice, in the middle of the third row. */
const secondSlice = 555

const top = 2 ** 22 - 1
const sign = (n: number): number => (n % 2 === 0 ? 1 : -1)
const place = (n: number): readonly [number, number, number] => [n % 5, n % 7, n % 11]
const along = (n: number): number => place(n).reduce((total, x, axis) => total + x * 2 ** axis, 0)

const indices: readonly number[] = Array.from({ length: count }, (_, n) => n)
const points: PointSet = {
  count,
  arrays: {
    position: Float32Array.from(indices.flatMap(place)),
    sign: Float32Array.from(indices, sign),
    low: Float32Array.from(indices, (n) => 2 * n),
  },
}
const bindings: Bindings = { targets: points, sources: points, parameters: { top } }

export const proofShape: Shape = {
  dimension: 3,
  targets: count,
  sources: count,
  sameSet: true,
  vectors: ['position'],
}

/** The name of the design for a device. Its term of a pair is `sign_j * (top - low_j) + dx + 2*dy + 4*dz`. */
export const proofName = ({ version, kind, outputs }: DeviceFacts): string =>
  version === 1 ? 'webgl1' : `${kind}, outputs ${outputs}`

/** The weight of source n. Signs alternate, so that partial sums stay below twice the largest weight. */
const weight = (n: number): number => sign(n) * (top - 2 * n)

/** The sum for a target: over all sources but itself. */
const expected = (target: number): number =>
  indices.reduce((total, n) => total + weight(n) + along(n) - along(target), 0) - weight(target)

/** Why this device fails the proof; undefined if it passes. @throws {@link ProgramCompilationError} */
export async function disproof(opened: OpenedHost): Promise<string | undefined> {
  const design = proofDesigns[proofName(opened.host.facts)] as PairDesign
  const designs = new Guarded({ parameters: {}, singular: false, perPair: false }, () => design)
  const program = new PairProgram(opened, designs, proofShape, performance.now())
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
