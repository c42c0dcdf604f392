/**
 * The laws and the tasks as text in JavaScript: plain loops and the kernels of gpu.js are made of it. A text may use `i` and `j`, `r2`,
 * the displacement `dx, dy, dz`, attributes as `mass[j]` and `ownMass`, and its constants.
 */

import type { LoopName, Points } from '../points.ts'

/** A loop over the sources of one target. */
export interface LoopText {
  /** Its attributes, in order; `depth` is the root of `epsilon`. */
  readonly reads: readonly string[]
  readonly constants?: (points: Points) => Readonly<Record<string, number>>
  /** Code before the loop over sources, and for a pair. */
  readonly first: string
  readonly pair: string
  /** The components of each result, by its name. */
  readonly last: Readonly<Record<string, readonly string[]>>
  /** Code after the loop over sources, in plain loops. */
  readonly end?: string
  /** Whether each pair has a result, not each target. */
  readonly square?: true
  /** A displacement along an axis, instead of the plain difference. */
  readonly displacement?: (axis: string) => string
}

/** A sum of pairs: `factor` of the target times the sum of `weight` of the source, `term(1)` and, in vectors, the displacement. */
export interface LawText extends Pick<LoopText, 'reads' | 'constants' | 'displacement'> {
  readonly weight: string
  readonly factor: string
  readonly result: string
  /** The components of a vector; absent if it is a number. */
  readonly axes?: readonly string[]
  /** Conditions on a pair, one inside the other: gpu.js has neither `&&` nor `continue`. */
  readonly when?: readonly string[]
  /** Code that sets `c`, with the numerator in it. */
  readonly term: (numerator: string) => string
}

export const xyz: readonly string[] = ['x', 'y', 'z']

/** `mass` of the target. */
export const own = (attribute: string): string => `own${attribute[0]?.toUpperCase()}${attribute.slice(1)}`

/** The code inside all conditions of a law. */
export const within = ({ when = [] }: LawText, code: string): string =>
  when.reduceRight((inner, condition) => `if (${condition}) { ${inner} }`, code)

const inverseCube = (numerator: string): string => `const c = ${numerator} / (s * Math.sqrt(s));`

export const laws: Readonly<Partial<Record<LoopName, LawText>>> = {
  gravity: {
    reads: ['mass'],
    weight: 'mass',
    factor: 'G',
    result: 'acceleration',
    axes: xyz,
    constants: ({ parameters: { G = 1, softening = 0 } }) => ({ G, softening2: softening ** 2 }),
    term: (numerator) => `const s = r2 + softening2; ${inverseCube(numerator)}`,
  },
  pointGravity: {
    reads: ['mass'],
    weight: 'mass',
    factor: 'G',
    result: 'acceleration',
    axes: xyz,
    constants: ({ parameters: { G = 1 } }) => ({ G }),
    when: ['r2 > 0'],
    term: (numerator) => `const s = r2; ${inverseCube(numerator)}`,
  },
  coulomb: {
    reads: ['charge'],
    weight: 'charge',
    factor: '-k * ownCharge',
    result: 'force',
    axes: xyz,
    constants: ({ parameters: { k = 1 } }) => ({ k }),
    term: (numerator) => `const s = Math.max(r2, 1e-20); ${inverseCube(numerator)}`,
  },
  lennardJones: {
    reads: ['sigma', 'depth'],
    weight: 'depth',
    factor: '-24 * ownDepth',
    result: 'force',
    axes: xyz,
    constants: ({ parameters: { cutoff = 0, boxX = 1, boxY = 1, boxZ = 1 } }) => ({
      ...{ cutoff2: cutoff ** 2, boxX, boxY, boxZ },
      ...{ perX: 1 / boxX, perY: 1 / boxY, perZ: 1 / boxZ },
    }),
    when: ['r2 > 0', 'r2 <= cutoff2'],
    displacement: (axis) => {
      const [box, per] = [`box${axis.toUpperCase()}`, `per${axis.toUpperCase()}`]
      return `const e${axis} = ${axis}[j] - own${axis}; const d${axis} = e${axis} - ${box} * Math.floor(e${axis} * ${per} + 0.5);`
    },
    term: (numerator) =>
      `const radius = 0.5 * (ownSigma + sigma[j]); const s2 = radius * radius / r2; const s6 = s2 * s2 * s2;
      const c = ${numerator} * s6 * (2 * s6 - 1) / r2;`,
  },
  gaussian: {
    reads: ['weight'],
    weight: 'weight',
    factor: 'height * ownWeight',
    result: 'potential',
    constants: ({ parameters: { height = 1, width = 1 } }) => ({ height, steepness: -0.5 / width ** 2 }),
    when: ['j !== i'],
    term: (numerator) => `const c = ${numerator} * Math.exp(steepness * r2);`,
  },
  // The law of d3-force: gravity in two dimensions, inversely proportional to the distance.
  planarGravity: {
    reads: ['mass'],
    weight: 'mass',
    factor: '1',
    result: 'acceleration',
    axes: ['x', 'y'],
    when: ['r2 > 0'],
    term: (numerator) => `const c = ${numerator} / r2;`,
  },
}

const tasks: Readonly<Partial<Record<LoopName, LoopText>>> = {
  argmin: {
    reads: [],
    first: 'let least = 1e30; let at = -1;',
    pair: 'if (j !== i) { if (r2 < least) { least = r2; at = j; } }',
    last: { value: ['least'], index: ['at'] },
  },
  logsumexp: {
    reads: [],
    first: 'let largest = -1e30; let total = 0;',
    pair: `if (j !== i) {
      const larger = Math.max(largest, -r2); total = total * Math.exp(largest - larger) + Math.exp(-r2 - larger); largest = larger; }`,
    last: { value: ['largest + Math.log(total)'] },
  },
  matrix: {
    reads: [],
    square: true,
    first: '',
    pair: 'let e = Math.exp(-r2); if (j === i) { e = 0; }',
    last: { value: ['e'] },
  },
}

/** The loop over every ordered pair; undefined if it is not a sum, a least term or a matrix. */
export function loopTextOf(name: LoopName): LoopText | undefined {
  const law = laws[name]
  return law ? everyPair(law) : tasks[name]
}

function everyPair(law: LawText): LoopText {
  const { weight, factor, result, axes = [], term } = law
  const sums = axes.length === 0 ? ['total'] : axes.map((axis) => `f${axis}`)
  const terms = axes.length === 0 ? ['total += c;'] : axes.map((axis) => `f${axis} += c * d${axis};`)
  return {
    ...law,
    first: sums.map((sum) => `let ${sum} = 0;`).join(' '),
    pair: within(law, `${term(`${weight}[j]`)} ${terms.join(' ')}`),
    last: { [result]: sums.map((sum) => `${factor} * ${sum}`) },
  }
}

/** The coordinates and attributes of the target, as far as the code reads them. */
export function ownCode(axes: readonly string[], reads: readonly string[], code: string): string {
  const names = [...axes.map((axis) => [`own${axis}`, axis]), ...reads.map((name) => [own(name), name])]
  return names.flatMap(([mine = '', all]) => (code.includes(mine) ? [`const ${mine} = ${all}[i];`] : [])).join(' ')
}

/** The displacement from the target to the source, and its square. */
export function displacementCode(axes: readonly string[], of = difference): string {
  const squares = axes.map((axis) => `d${axis} * d${axis}`).join(' + ')
  return `${axes.map(of).join(' ')} const r2 = ${squares};`
}

const difference = (axis: string): string => `const d${axis} = ${axis}[j] - own${axis};`

/** Attributes of the points, and the root of `epsilon`. */
export function attributeOf({ attributes }: Points, name: string): ArrayLike<number> {
  const array = name === 'depth' ? attributes.epsilon?.map(Math.sqrt) : attributes[name]
  if (!array) throw new Error(`the points lack ${name}`)
  return array
}
