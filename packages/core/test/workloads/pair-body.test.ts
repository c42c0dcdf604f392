// The scheduled body of a pair loop gives the values of the term, for every law, quantity, domain, style and guard.

import { describe, expect, it } from 'vitest'
import { evaluate } from '../../src/language/evaluate.ts'
import type { RootStyle } from '../../src/language/expand-powers.ts'
import { toText } from '../../src/language/infix.ts'
import type { Expr } from '../../src/language/nodes.ts'
import { attributeSum } from '../../src/problem/interactions/attribute-sum.ts'
import { biotSavart } from '../../src/problem/interactions/biot-savart.ts'
import { pairForce, pairPotential } from '../../src/problem/interactions/define.ts'
import type { Interaction, Law, Sampling } from '../../src/problem/interactions/interaction.ts'
import { needsGuard } from '../../src/problem/workloads/bodies/coincident.ts'
import { pairBody } from '../../src/problem/workloads/bodies/pair-body.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import type { DomainOptions } from '../../src/problem/workloads/domain.ts'
import { accelerations, forces, potentials, reduce, sum, virial } from '../../src/problem/workloads/pair.ts'
import { parametersOf } from '../../src/problem/workloads/parameters.ts'
import { termOf } from '../../src/problem/workloads/quantity.ts'
import type { Dimension, PairWorkload } from '../../src/problem/workloads/workload.ts'
import { evaluatePairBody, type Pair } from '../support/evaluate-pair-body.ts'
import { parametersIn, radialLaws, type Sample, sampleOf } from '../support/laws.ts'
import { between, random } from '../support/random.ts'

const sampling: Sampling = { r: [0.2, 4], q: [-2, 2], mass: [0.5, 5] }
const ofUser: readonly Law[] = [
  pairPotential('q_i*q_j*(1 - 3*dx^2/r2)/r^3', { name: 'dipole', inertia: 'mass', sampling }),
  pairForce('q_j*exp(-r)/r', { name: 'predator', inertia: 'mass', sampling }),
  pairForce({ x: 'q_j*dy/r', y: 'q_i*dx - q_j' }, { name: 'swirl', inertia: 'mass', sampling }),
]
const terms: readonly Law[] = [biotSavart, attributeSum]

type Make = (law: Interaction, options: DomainOptions) => PairWorkload
const quantities: Readonly<Record<string, Make>> = { potentials, forces, accelerations, virial }
const smallest: Make = (law, options) => reduce('min', law, options)

/** Every domain around a law with distances up to `far`, in the number of dimensions. */
const domains = (far: number, dimension: Dimension): Readonly<Record<string, DomainOptions>> => {
  const boundary = periodic([1.3, 1.4, 1.5].slice(0, dimension).map((edge) => edge * far))
  return {
    open: {},
    periodic: { boundary },
    cutoff: { cutoff: 0.6 * far },
    'periodic cutoff': { boundary, cutoff: 0.6 * far },
    switch: { cutoff: 0.6 * far, switchDistance: 0.2 * far },
    'periodic switch': { boundary, cutoff: 0.6 * far, switchDistance: 0.2 * far },
    shift: { boundary: periodic([1.3 * far, Infinity, 1.5 * far].slice(0, dimension)), cutoff: 0.6 * far, shift: true },
  }
}

const makesOf = (law: Interaction): readonly (readonly [string, Make])[] => {
  if (law.kind === 'term') return Object.entries(Object.keys(law.expressions).length > 1 ? { sum } : { sum, smallest })
  return Object.entries(quantities).filter(([name]) => name !== 'potentials' || law.kind === 'potential')
}

/** The term by its definition: for the nearest image, or nothing. */
function expected(workload: PairWorkload, dimension: Dimension, pair: Pair): readonly number[] | undefined {
  const { boundary, cutoff } = workload.domain
  const d = pair.source.map((x, axis) => {
    const along = x - (pair.target[axis] as number)
    const length = (boundary.kind === 'periodic' && boundary.lengths[axis]) || Infinity
    return length === Infinity ? along : along - length * Math.round(along / length)
  })
  const r2 = d.reduce((total, x) => total + x * x, 0)
  if (cutoff && r2 > Number(cutoff.distance) ** 2) return undefined
  const [dx = 0, dy = 0, dz = 0] = d
  const values = { ...pair.parameters, ...pair.attributes, dx, dy, dz, r2 }
  const term = termOf(workload, dimension)
  if (term.form === 'components') return term.components.map((e) => evaluate(e, values))
  const coefficient = evaluate(term.coefficient, values)
  return d.map((along) => coefficient * along)
}

const options = (['inverseSqrt', 'sqrt'] as const satisfies readonly RootStyle[]).flatMap((roots) =>
  [true, false].flatMap((guard) => [true, false].map((factorOut) => ({ guard, factorOut, roots }))),
)
/** Each half has all pairs of two options. Every law meets the one half and the other in turn, in each domain. */
const halves = [0, 1].map((half) =>
  options.filter(({ roots, guard, factorOut }) => (+(roots === 'sqrt') + +guard + +factorOut) % 2 === half),
)

const attributesIn = (sample: Sample): Sample =>
  Object.fromEntries(Object.entries(sample).filter(([name]) => /_[ij]$/.test(name)))

const laws = [...radialLaws.map(({ law }) => law), ...ofUser, ...terms]
const cases = laws.flatMap((law) => {
  const flat = law.law === 'swirl' ? ([2] as const) : law === biotSavart ? ([3] as const) : ([2, 3] as const)
  return flat.flatMap((dimension) =>
    makesOf(law()).map(([name, make]) => [law.law, name, dimension, law, make] as const),
  )
})

describe('the body computes the term', () => {
  it.each(cases.map((one, n) => [...one, n] as const))('%s, %s, %i-D', (_, __, dimension, law, make, turn) => {
    const next = random(13)
    let [counted, left] = [0, 0]
    // One expectation of all: there are hundreds of thousands.
    const faults: unknown[] = []
    const [, far = 1] = law.sampling.r ?? []
    for (const [n, [name, domain]] of Object.entries(domains(far, dimension)).entries()) {
      const sample = sampleOf(law, next)
      const interaction = law(parametersIn(law, sample))
      if (name === 'shift' && (interaction.kind !== 'potential' || law.law === 'dipole')) continue
      const workload = make(interaction, domain)
      const bare = make(interaction, domain.boundary ? { boundary: domain.boundary } : {})
      const pairs = Array.from({ length: 4 }, () => {
        const point = () => Array.from({ length: dimension }, () => between(next, -0.7 * far, 0.7 * far))
        const attributes = attributesIn(sampleOf(law, next))
        const pair = { parameters: parametersOf(workload), attributes, target: point(), source: point() }
        const want = expected(workload, dimension, pair)
        // Near its end a switched or shifted term is a small difference of larger numbers.
        const size = Math.hypot(...(expected(bare, dimension, pair) ?? []))
        return { pair, want, tolerance: 1e-10 * Math.hypot(...(want ?? [])) + 1e-13 * size }
      })
      counted += pairs.filter(({ want }) => want).length
      left += pairs.filter(({ want }) => !want).length
      for (const option of halves[(n + turn) % 2] ?? []) {
        const body = pairBody(workload, { dimension, sameSet: true }, option)
        for (const { pair, want, tolerance } of pairs) {
          const { keep, term } = evaluatePairBody(body, pair)
          const right = keep
            ? term.length === want?.length && want.every((x, c) => Math.abs((term[c] as number) - x) <= tolerance)
            : !want
          if (!right) faults.push({ name, option, pair, keep, term, want, tolerance })
        }
      }
    }
    expect(faults).toEqual([])
    expect(counted).toBeGreaterThan(10)
    expect(left).toBeGreaterThan(0)
  })
})

describe('the guard for coincident points', () => {
  const attributes = Object.fromEntries(
    ['mass', 'charge', 'sigma', 'epsilon', 'weight', 'q', 'p', 'wx', 'wy', 'wz'].flatMap((name) => [
      [`${name}_i`, 1.5],
      [`${name}_j`, 0.7],
    ]),
  )

  it.each(cases)('%s, %s, %i-D', (_, __, dimension, law, make) => {
    const box = periodic([4, 4, 4].slice(0, dimension))
    for (const domain of [{}, { boundary: box }, { cutoff: 2, switchDistance: 1 }]) {
      const workload = make(law(), domain)
      const parameters = parametersOf(workload)
      const guard = needsGuard(workload, dimension, parameters)
      for (const roots of ['inverseSqrt', 'sqrt'] as const) {
        const body = pairBody(workload, { dimension, sameSet: true }, { guard, roots })
        const target = [0.3, -0.2, 0.1].slice(0, dimension)
        const { term, keep } = evaluatePairBody(body, { parameters, attributes, target, source: target })
        // A radial term vanishes with its displacement. Other singular terms do not count there.
        if (body.form === 'radial') expect(term.map(Math.abs)).toEqual(target.map(() => 0))
        else expect(keep).toBe(!guard)
        if (keep) expect(term.every(Number.isFinite)).toBe(true)
      }
    }
  })

  it('is needed if the law is singular, but not if it is finite', () => {
    const workload = (law: Interaction) => potentials(law)
    const [soft, hard] = radialLaws.map(({ law }) => law).slice(0, 2) as [Law<string>, Law<string>]
    expect(needsGuard(workload(soft({ softening: 0.1 })), 3, { G: 1, softening: 0.1 })).toBe(false)
    expect(needsGuard(workload(soft()), 3, { G: 1, softening: 0 })).toBe(true)
    expect(needsGuard(workload(hard()), 3, { k: 1 })).toBe(true)
  })
})

describe('the loop around a body', () => {
  const [gravity] = radialLaws.map(({ law }) => law) as [Law]
  const options = { guard: true }

  it('must skip a point itself, unless the term vanishes there or the point is included by option', () => {
    const skips = (workload: PairWorkload, sameSet: boolean) =>
      pairBody(workload, { dimension: 3, sameSet }, options).skipSelf
    expect(skips(potentials(gravity()), true)).toBe(true)
    expect(skips(potentials(gravity()), false)).toBe(false)
    expect(skips(potentials(gravity(), { self: 'include' }), true)).toBe(false)
    expect(skips(forces(gravity()), true)).toBe(false)
  })

  it('must load the attributes of each side', () => {
    expect(pairBody(accelerations(gravity()), { dimension: 3, sameSet: true }, options).attributes).toEqual({
      targets: [],
      sources: ['mass'],
    })
    expect(pairBody(forces(gravity()), { dimension: 3, sameSet: true }, options).attributes).toEqual({
      targets: ['mass'],
      sources: ['mass'],
    })
    expect(pairBody(sum(biotSavart()), { dimension: 3, sameSet: true }, options).attributes).toEqual({
      targets: [],
      sources: ['wx', 'wy', 'wz'],
    })
  })
})

describe('a term and its reaction', () => {
  const bodyOf = (workload: PairWorkload) =>
    pairBody(workload, { dimension: 3, sameSet: true }, { guard: false, reaction: true, factorOut: false })
  const rows = (bindings: readonly { readonly name: string; readonly expr: Expr }[]) =>
    Object.fromEntries(bindings.map(({ name, expr }) => [name, toText(expr)]))

  it('differ in the attributes of the other point', () => {
    const [gravity] = radialLaws.map(({ law }) => law) as [Law]
    const body = bodyOf(accelerations(gravity({ G: 2, softening: 0.5 })))
    expect(rows(body.source)).toEqual({ s0: 'p0 * mass_j' })
    expect(rows(body.target)).toEqual({ t0: 'p0 * mass_i' })
    const [there = '', back = ''] = [...body.terms, ...body.reaction].map(toText)
    expect(there).toContain('s0')
    expect(back).toBe(there.replace('s0', 't0'))
    expect(body.scale).toBeUndefined()
  })

  it('are one force if the sum is divided by the inertia at the end', () => {
    const [gravity] = radialLaws.map(({ law }) => law) as [Law]
    const options = { guard: false, reaction: true, divides: true }
    const shape = { dimension: 3, sameSet: true } as const
    const body = pairBody(accelerations(gravity({ softening: 0.5 })), shape, options)
    expect(body.reaction.map(toText)).toEqual(body.terms.map(toText))
    expect(rows(body.run)).toMatchObject({ p0: 'G / inertiaUnit', p2: 'inertiaUnit' })
    expect(rows(body.target)).toEqual({ t0: 'mass_i', t1: 'p2 / mass_i' })
    expect(rows(body.source)).toEqual({ s0: 'p0 * mass_j' })
    expect(body.scale && toText(body.scale)).toBe('t1')
    const other = forces(pairForce('q_i*q_j/r^3', { name: 'charges' })())
    expect(pairBody(other, shape, options)).toEqual(pairBody(other, shape, { ...options, divides: false }))
  })

  it('are equal if the law is symmetric', () => {
    for (const text of ['q_i*q_j/r^3', '(q_i - q_j)^2/r^3', 'exp(-(q_j - q_i)^2)*exp(-r2)']) {
      const body = bodyOf(forces(pairForce(text)()))
      expect(body.reaction.map(toText)).toEqual(body.terms.map(toText))
    }
  })
})
