/**
 * Embedded atoms of R. A. Johnson (Phys. Rev. B 37, 3924, 1988), whose functions are closed forms, as files of tables. Copper has his numbers.
 * The second element is made up, so that kinds can be told apart.
 *
 * @module
 */

export interface Metal {
  readonly symbol: string
  readonly number: number
  readonly mass: number
  readonly r1: number
  readonly cohesion: number
  readonly pair: number
  readonly density: number
  readonly alpha: number
  readonly beta: number
  readonly gamma: number
}

export const copper: Metal = {
  ...{ symbol: 'Cu', number: 29, mass: 63.546, r1: 2.556, cohesion: 3.54, pair: 0.59, density: 0.3 },
  ...{ alpha: 5.09, beta: 5.85, gamma: 8 },
}

export const other: Metal = {
  ...copper,
  symbol: 'Xx',
  number: 99,
  mass: 90,
  r1: 2.7,
  pair: 0.4,
  beta: 5,
  density: 0.25,
}

/** 1 up to 2.9, 0 from 3.5, with two continuous derivatives. */
const window = (r: number): number => {
  const y = Math.min(1, Math.max(0, (3.5 - r) / 0.6))
  return y ** 3 * (10 - y * (15 - 6 * y))
}

export const densityOf = ({ density, beta, r1 }: Metal, r: number): number =>
  density * Math.exp(-beta * (r / r1 - 1)) * window(r)

const pairOf = ({ pair, gamma, r1 }: Metal, r: number) => pair * Math.exp(-gamma * (r / r1 - 1)) * window(r)

/** A mean of both, as in Johnson's alloys (Phys. Rev. B 39, 12554, 1989). */
const pairOfBoth = (a: Metal, b: Metal, r: number): number =>
  a === b || window(r) === 0
    ? pairOf(a, r)
    : ((densityOf(b, r) / densityOf(a, r)) * pairOf(a, r) + (densityOf(a, r) / densityOf(b, r)) * pairOf(b, r)) / 2

const embeddingOf = ({ density, cohesion, pair, alpha, beta, gamma }: Metal, rho: number): number => {
  if (rho === 0) return 0
  const [x, n] = [rho / (12 * density), alpha / beta]
  return -cohesion * (1 - n * Math.log(x)) * x ** n - 6 * pair * x ** (gamma / beta)
}

const grid = (count: number, step: number) => Array.from({ length: count }, (_, n) => n * step)

/** Five numbers on each line. */
const lines = (values: readonly number[]): string =>
  Array.from({ length: Math.ceil(values.length / 5) }, (_, n) =>
    values
      .slice(5 * n, 5 * n + 5)
      .map((x) => x.toExponential(15))
      .join(' '),
  ).join('\n')

const header = ({ number, mass, r1 }: Metal) => `${number} ${mass} ${(r1 * Math.SQRT2).toFixed(4)} fcc`

const [nrho, drho, nr, dr] = [2001, 0.005, 1001, 0.0035]
const numbers = `${nrho} ${drho} ${nr} ${dr} 3.5`

export function setfl(metals: readonly Metal[]): string {
  const ofElements = metals.flatMap((metal) => [
    header(metal),
    lines(grid(nrho, drho).map((rho) => embeddingOf(metal, rho))),
    lines(grid(nr, dr).map((r) => densityOf(metal, r))),
  ])
  const ofPairs = metals.flatMap((a, row) =>
    metals.slice(0, row + 1).map((b) => lines(grid(nr, dr).map((r) => r * pairOfBoth(a, b, r)))),
  )
  const symbols = [metals.length, ...metals.map(({ symbol }) => symbol)].join(' ')
  return ['Johnson 1988', '', 'a test', symbols, numbers, ...ofElements, ...ofPairs, ''].join('\n')
}

export function funcfl(metal: Metal): string {
  const charge = (r: number) => Math.sqrt((r * pairOf(metal, r)) / (27.2 * 0.529))
  return [
    'Johnson 1988',
    header(metal),
    numbers,
    lines(grid(nrho, drho).map((rho) => embeddingOf(metal, rho))),
    lines(grid(nr, dr).map(charge)),
    lines(grid(nr, dr).map((r) => densityOf(metal, r))),
  ].join('\n')
}

/** A crystal of 32 atoms in a box of 7.6, out of order, with every third atom of the second kind. */
export function atoms(): {
  readonly position: number[]
  readonly kind: number[]
  readonly mass: number[]
  readonly box: number
} {
  const corners = [
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ]
  const position: number[] = []
  for (let cell = 0; cell < 8; cell++)
    for (const corner of corners)
      for (const [axis, c] of corner.entries())
        position.push(3.8 * (c + ((cell >> axis) & 1)) + 0.15 * Math.sin(7.3 * position.length + 1))
  const kind = Array.from({ length: 32 }, (_, n) => (n % 3 === 0 ? 1 : 0))
  return { position, kind, mass: kind.map((k) => (k === 0 ? copper : other).mass), box: 7.6 }
}
