/**
 * Vectors of any length: sums over their components in terms, energies and forces, without positions and with them. Whole numbers show every component that is
 * left out or counted twice.
 *
 * @module
 */
import {
  accelerations,
  countWithin,
  type DomainOptions,
  forces,
  type Interaction,
  type LawOptions,
  matrix,
  nearest,
  type Particles,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
  virial,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

export function vectorCases(): readonly Case[] {
  return [...whole(), ...kernels(), ...folds(), ...given(), ...placed(), ...energies()]
}

const term = (text: string, options: LawOptions = {}): Interaction => pairTerm(text, { name: text, ...options })()

/** Vectors have no positions; a case gives the number of points. */
const points = (arrays: object): Particles => arrays as Particles

/** Vectors of whole numbers from -3 to 3. */
const wholes = (count: number, length: number, factor: number): Float64Array =>
  Float64Array.from({ length: count * length }, (_, n) => ((factor * n + Math.floor(n / length)) % 7) - 3)

const spread = (count: number, length: number, seed: number): Float64Array =>
  randomOf(seed).array(count * length, -0.5, 0.5)

/** Products and distances of whole numbers, with lengths around those of registers and of the steps of loops. */
function whole(): readonly Case[] {
  return [1, 2, 3, 4, 5, 8, 9, 16, 31, 100].map((length): Case => {
    const [targets, sources] = [19, 45]
    const [a, b] = [wholes(targets, length, 3), wholes(sources, length, 5)]
    const value = Array.from({ length: targets }, (_, i) => {
      let total = 0
      for (let n = 0; n < sources * length; n++) {
        const [here, there] = [a[i * length + (n % length)] as number, b[n] as number]
        total += here * there + (here - there) ** 2
      }
      return total
    })
    return {
      name: `vectors: products and distances of ${length} whole numbers`,
      workload: sum(term('dot(a_i, b_j) + sqdist(a_i, b_j)')),
      particles: points({ targets: { a, count: targets }, sources: { b, count: sources } }),
      exact: { value },
    }
  })
}

const gaussian = term('exp(-sqdist(x_i, y_j)/(2*s^2))*b_j', { parameters: { s: 1.5 } })

/** Kernels between two sets, in each reduction of terms. */
function kernels(): readonly Case[] {
  const lengths = [10, 70]
  return lengths.flatMap((length) => {
    const [targets, sources] = [70, 131]
    const particles = points({
      targets: { x: spread(targets, length, 1), count: targets },
      sources: { y: spread(sources, length, 2), b: spread(sources, 1, 3), count: sources },
    })
    const of = (subject: string, workload: Case['workload'], more: Partial<Case> = {}): Case => ({
      name: `vectors: ${subject} in ${length}-D`,
      workload,
      particles,
      ...more,
    })
    const nearness = term('-sqdist(x_i, y_j)')
    return [
      of('a Gaussian kernel', sum(gaussian)),
      of('a Gaussian kernel in parts', sum(gaussian), {
        parts: {
          targets: [
            [0, 33],
            [33, 70],
          ],
          sources: [
            [0, 50],
            [50, 131],
          ],
        },
      }),
      of('another width', sum(gaussian), { parameters: { s: 0.5 }, again: [{ workload: sum(gaussian), particles }] }),
      of('the largest term', reduce('max', gaussian)),
      of('the nearest source', reduce('argmax', nearness)),
      of('the logarithm of a sum', reduce('logsumexp', nearness)),
      // The exponent of each number is a sum of as many squares as there are components.
      of('a matrix', matrix(gaussian), length > 16 ? { steep: true } : {}),
      of('the 5 nearest sources', nearest(5, term('sqdist(x_i, y_j)'))),
      of('those within a squared distance', countWithin(9, term('sqdist(x_i, y_j)'))),
      of('the 20 largest products', nearest(20, term('-dot(x_i, y_j)'))),
    ]
  })
}

/** Several sums over components, of vectors of unlike lengths, of one side or of both, with parameters and functions. */
function folds(): readonly Case[] {
  const [count, length] = [90, 13]
  const particles = points({ x: spread(count, length, 4), u: spread(count, 3, 5), w: spread(count, 1, 6), count })
  const of = (name: string, text: string, options: LawOptions = {}): Case => ({
    name: `vectors: ${name}`,
    workload: sum(term(text, options)),
    particles,
  })
  const apart = {
    exclusions: [
      [0, 1],
      [3, 80],
    ],
  } as const
  return [
    { ...of('a matrix without some pairs', 'dot(x_i, x_j)*w_j'), workload: matrix(term('dot(x_i, x_j)*w_j'), apart) },
    of('cosines', 'dot(x_i, x_j)/(norm(x_i)*norm(x_j))'),
    of('two lengths', 'dot(x_i, x_j)*exp(-sqdist(u_i, u_j)) + w_j*norm(u_j)'),
    of('a parameter in every component', 'sum(p*abs(x_i - x_j) + select(x_i < x_j, q, 0))', {
      parameters: { p: 0.5, q: 0.25 },
    }),
    {
      ...of('with themselves', 'sqdist(x_i, x_j)'),
      workload: sum(term('sqdist(x_i, x_j) + w_j'), { self: 'include' }),
    },
    {
      ...of('without some pairs', 'dot(x_i, x_j)'),
      workload: sum(term('dot(x_i, x_j) + w_j'), apart),
    },
  ]
}

/** Vectors among the parameters, of one side and of both, with other numbers in the next run and beside a table. */
function given(): readonly Case[] {
  const weighted = (length: number): Case => {
    const [targets, sources] = [21, 33]
    const [a, b, c] = [wholes(targets, length, 3), wholes(sources, length, 5), wholes(sources, 3, 2)]
    const [w, v] = [wholes(1, length, 2), [3, -1, 2]]
    const text = 'sum(w*(a_i - b_j)^2) + dot(w, b_j)*p + dot(w, a_i) + dot(v, c_j)'
    const workload = sum(term(text, { parameters: { w, v, p: 2 } }))
    const particles = points({ targets: { a, count: targets }, sources: { b, c, count: sources } })
    const valuesFor = (w: ArrayLike<number>, p: number) =>
      Array.from({ length: targets }, (_, i) => {
        let total = 0
        for (let j = 0; j < sources; j++) {
          for (let k = 0; k < length; k++) {
            const [here, there] = [a[i * length + k] as number, b[j * length + k] as number]
            total += (w[k] as number) * ((here - there) ** 2 + p * there + here)
          }
          for (let k = 0; k < 3; k++) total += (v[k] as number) * (c[3 * j + k] as number)
        }
        return total
      })
    const other = Array.from(w, (x) => 1 - x)
    return {
      name: `vectors: parameters of ${length} whole numbers`,
      workload,
      particles,
      exact: { value: valuesFor(w, 2) },
      again: [{ workload, particles, parameters: { w: other, p: 3 }, exact: { value: valuesFor(other, 3) } }],
    }
  }
  const [count, length] = [75, 12]
  const particles = points({
    ...{ x: spread(count, length, 9), kind: Float64Array.from({ length: count }, (_, n) => n % 2), count },
  })
  const metric = term('s[kind_i, kind_j]*exp(-sum(g*(x_i - x_j)^2))', {
    parameters: { g: spread(1, length, 10) },
    tables: {
      s: [
        [1, 2],
        [2, 3],
      ],
    },
  })
  const direction = term('dot(w, x_j)', { parameters: { w: spread(1, length, 11) } })
  return [
    ...[1, 4, 15, 40].map(weighted),
    { name: 'vectors: a metric among the parameters, beside a table', workload: sum(metric), particles },
    { name: 'vectors: the sources farthest along a parameter', workload: nearest(3, direction), particles },
    { name: 'vectors: the matrix of a metric', workload: matrix(metric), particles },
  ]
}

/** Vectors beside positions: within a cutoff, and with distances in the term. */
function placed(): readonly Case[] {
  const count = 150
  const particles = points({ position: cloud({ count, seed: 7, side: 4 }), x: spread(count, 5, 8) })
  return [
    { name: 'vectors: within a cutoff', workload: sum(term('dot(x_i, x_j)'), { cutoff: 1.5 }), particles },
    { name: 'vectors: with distances', workload: sum(term('dot(x_i, x_j)*exp(-r2) + dx*norm(x_j)')), particles },
  ]
}

/** Energies and forces that read vectors: springs of whole numbers, whose forces are whole, and laws of distances in domains. */
function energies(): readonly Case[] {
  const springs = (length: number): Case => {
    const count = 37
    const [position, a] = [wholes(count, 3, 4), wholes(count, length, 3)]
    const force = Array.from({ length: 3 * count }, (_, n) => {
      const [i, axis] = [Math.floor(n / 3), n % 3]
      let total = 0
      for (let j = 0; j < count; j++)
        for (let k = 0; k < length; k++)
          total +=
            (a[i * length + k] as number) *
            (a[j * length + k] as number) *
            ((position[3 * j + axis] as number) - (position[n] as number))
      return total
    })
    return {
      name: `vectors: springs by products of ${length} whole numbers`,
      workload: forces(pairPotential('dot(a_i, a_j)*r2/2', { name: 'springs' })()),
      particles: points({ position, a }),
      exact: { force },
    }
  }
  const count = 120
  const [position, f, q, mass] = [
    cloud({ count, seed: 12, side: 4 }),
    spread(count, 10, 13),
    spread(count, 1, 14),
    spread(count, 1, 15),
  ]
  const particles = points({ position, f, q, mass: mass.map((x) => 1 + x * x) })
  const law = pairPotential('q_i*q_j*exp(-sqdist(f_i, f_j)/(2*s^2))/sqrt(r2 + 0.1)', {
    ...{ name: 'charges with features', inertia: 'mass', parameters: { s: 1.5 } },
  })()
  const pull = pairForce('q_j*sum(g*(f_i - f_j)^2)*exp(-r2)', {
    ...{ name: 'pulls by features', parameters: { g: spread(1, 10, 16) } },
  })()
  const near: DomainOptions = { cutoff: 1.4, boundary: periodic([4, 4, 4]) }
  const of = (name: string, workload: Case['workload'], more: Partial<Case> = {}): Case => ({
    name: `vectors: ${name}`,
    ...{ workload, particles, ...more },
  })
  return [
    ...[1, 5, 10, 33].map(springs),
    of('accelerations of an energy', accelerations(law), { parameters: { s: 0.7 } }),
    of('forces of an energy in a box', forces(law, { ...near, shift: true })),
    of('potentials that a cutoff switches off', potentials(law, { ...near, switchDistance: 1 })),
    of('a virial', virial(law, near)),
    of('forces of a law of forces', forces(pull)),
    of('forces between two sets', forces(law), {
      particles: points({
        targets: { position: cloud({ count: 50, seed: 17, side: 4 }), f: spread(50, 10, 18), q: spread(50, 1, 19) },
        sources: { position, f, q },
      }),
    }),
  ]
}
