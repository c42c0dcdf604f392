/**
 * Sums of terms that are vectors, on devices that take them as a whole. Whole numbers show each component that is left out or counted twice.
 *
 * @module
 */
import { type Particles, pairTerm, sum } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { type Check, differing } from '../check.ts'

const count = 29
const pull = sum(pairTerm('w_j*vector(x_j - x_i)', { name: 'pulls of vectors' })())

const wholes = (size: number, factor: number): Float64Array =>
  Float64Array.from({ length: size }, (_, n) => ((factor * n + Math.floor(n / 10)) % 7) - 3)

/** Lengths around those of blocks and of workgroups. */
export const wholeVectorChecks: readonly Check[] = [1, 2, 15, 33, 257, 1025].map((length) => ({
  name: `whole vectors: sums of ${length} components`,
  async faults(device) {
    const [x, w] = [wholes(count * length, 3), wholes(count, 2)]
    const { shape, bindings } = bind(pull, { x, w, count } as unknown as Particles)
    if (!device.sumsVectors || !device.supports(pull, shape).ok) return []
    const program = await device.prepare(pull, shape)
    const expected = Float64Array.from({ length: count * length }, (_, n) => {
      const k = n % length
      return w.reduce((total, weight, j) => total + weight * ((x[j * length + k] as number) - (x[n] as number)), 0)
    })
    try {
      const whole = await program.run(bindings)
      const first = await program.run(bindings, { sources: [0, 11] })
      const rest = await program.run(bindings, { sources: [11, count], initial: first })
      const some = await program.run(bindings, { targets: [5, 17] })
      return [
        ...differing('the sum', whole.value ?? [], expected, 0),
        ...differing('the sum over two ranges of sources', rest.value ?? [], expected, 0),
        ...differing('that of some targets', some.value ?? [], expected.slice(5 * length, 17 * length), 0),
      ]
    } finally {
      program.dispose()
    }
  },
}))
