/**
 * Vectors of any length: sums over their components in terms, without positions and with them. Whole numbers show every component that is
 * left out or counted twice.
 *
 * @module
 */
import {
  countWithin,
  type Interaction,
  type LawOptions,
  matrix,
  nearest,
  type Particles,
  pairTerm,
  reduce,
  sum,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

export function vectorCases(): readonly Case[] {
  return [...whole(), ...kernels(), ...folds(), ...placed()]
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
      of('a matrix', matrix(gaussian)),
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
  return [
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
      workload: sum(term('dot(x_i, x_j) + w_j'), {
        exclusions: [
          [0, 1],
          [3, 80],
        ],
      }),
    },
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
