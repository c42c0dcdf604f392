/**
 * Terms that are NaN or infinite. A NaN is neither least nor greatest, and makes sums NaN.
 *
 * @module
 */
import { type Device, type PairWorkload, type ParticleSet, pairTerm, reduce, sum } from '@manybody/core'
import { bind, deviceNumbers } from '@manybody/core/judge'
import type { Check } from '../check.ts'

const sources = 300
/** The factor of each target. It turns the terms of some sources into NaN, or the terms of the others, or none. */
const sides = [1, -1, 0.5]
/** NaN if the product is negative, -infinity if it is 0, otherwise a number that float32 represents exactly, so that ties stay ties. */
const term = pairTerm('select(0 < x, x, log(x)); x = level_j*side_i', { name: 'level' })()
const termOf = (x: number) => (x > 0 ? x : Math.log(x))

/** Levels with `odd` in the first place, the last, and some others. */
const levels = (odd: number): Float64Array =>
  Float64Array.from({ length: sources }, (_, j) => (j % 37 === 0 || j === sources - 1 ? odd : 1 + ((j * 7) % 11)))

const set = (level: Float64Array): { targets: ParticleSet; sources: ParticleSet } => ({
  // Coincident points count only if their term is finite.
  targets: { position: new Float64Array(3 * sides.length).fill(1), side: Float64Array.from(sides) },
  sources: { position: new Float64Array(3 * sources), level },
})

type Values = Readonly<Record<string, readonly number[]>>

/** The result of each reduction for the terms of each target. */
const reductions: Readonly<Record<string, readonly [PairWorkload, (terms: readonly (readonly number[])[]) => Values]>> =
  {
    min: [reduce('min', term), (rows) => ({ value: rows.map((terms) => extreme(terms, -1)[0]) })],
    max: [reduce('max', term), (rows) => ({ value: rows.map((terms) => extreme(terms, 1)[0]) })],
    argmin: [reduce('argmin', term), (rows) => indexed(rows, -1)],
    argmax: [reduce('argmax', term), (rows) => indexed(rows, 1)],
    logsumexp: [
      reduce('logsumexp', term),
      (rows) => ({ value: rows.map((terms) => Math.log(terms.reduce((total, x) => total + Math.exp(x), 0))) }),
    ],
    sum: [sum(term), (rows) => ({ value: rows.map((terms) => terms.reduce((total, x) => total + x, 0)) })],
  }

const indexed = (rows: readonly (readonly number[])[], sign: 1 | -1): Values => ({
  value: rows.map((terms) => extreme(terms, sign)[0]),
  index: rows.map((terms) => extreme(terms, sign)[1]),
})

/** The greatest (sign 1) or least (sign -1) number and its first place, or -1. */
function extreme(terms: readonly number[], sign: 1 | -1): readonly [number, number] {
  const numbers = terms.filter((x) => sign * x > Number.NEGATIVE_INFINITY)
  if (numbers.length === 0) return [sign * Number.NEGATIVE_INFINITY, -1]
  const value = numbers.reduce((best, x) => (sign * x > sign * best ? x : best))
  return [value, terms.indexOf(value)]
}

async function faultsOf(
  device: Device,
  workload: PairWorkload,
  expected: Values,
  level: Float64Array,
): Promise<string[]> {
  const { shape, bindings } = deviceNumbers(bind(workload, set(level)), device.info.precision)
  const program = await device.prepare(workload, shape)
  try {
    const whole = await program.run(bindings)
    const first = await program.run(bindings, { sources: [0, 100] })
    const parts = await program.run(bindings, { sources: [100, sources], initial: first })
    return [
      ['in one run', whole],
      ['in two', parts],
    ].flatMap(([how, results]) =>
      Object.entries(expected).flatMap(([name, values]) => {
        const out = Array.from((results as typeof whole)[name] ?? [])
        const same = values.every((want, t) => {
          const got = out[t] as number
          return Object.is(got, want) || got === want || Math.abs(got - want) <= 1e-5 * Math.abs(want)
        })
        return same ? [] : [`${name} ${how}: expected ${values.join(', ')}, got ${out.join(', ')}`]
      }),
    )
  } finally {
    program.dispose()
  }
}

export const nanTermChecks: readonly Check[] = Object.entries(reductions).map(([name, [workload, expectedOf]]) => ({
  name: `${name === 'sum' ? 'terms' : 'reductions'}: ${name} of terms that are NaN or infinite`,
  async faults(device) {
    const faults: string[] = []
    for (const odd of [-2, 0, -0.5]) {
      const level = levels(odd)
      const rows = sides.map((side) => Array.from(level, (l) => termOf(l * side)))
      faults.push(...(await faultsOf(device, workload, expectedOf(rows), level)))
    }
    return faults
  },
}))
