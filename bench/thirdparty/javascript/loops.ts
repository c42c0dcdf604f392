/** Plain loops in JavaScript from the texts, with arithmetic in doubles: over every ordered pair, or over each pair once. */

import type { LoopName, Points } from '../points.ts'
import {
  attributeOf,
  displacementCode,
  type LawText,
  type LoopText,
  laws,
  loopTextOf,
  own,
  ownCode,
  within,
  xyz,
} from './texts.ts'

export type Style = 'plain' | 'once'
type Arrays = Readonly<Record<string, ArrayLike<number>>>

/**
 * The loop with these points and results; undefined if nobody wrote it in this style. Engines compile a function for the types that it has
 * seen, so each is a function of its own.
 */
export function loopFor(style: Style, name: LoopName, points: Points, results: Arrays): (() => void) | undefined {
  const law = laws[name]
  const text = plain[name] ?? loopTextOf(name)
  const code = style === 'plain' ? text && plainCode(text, points) : law && onceCode(law)
  if (!code || !text) return undefined
  const given = {
    ...{ count: points.count, k: points.k, ...text.constants?.(points), ...results },
    ...Object.fromEntries(points.axes.map((array, axis) => [xyz[axis], array])),
    ...Object.fromEntries(text.reads.map((attribute) => [attribute, attributeOf(points, attribute)])),
  }
  const loop = new Function(...Object.keys(given), code)
  return () => loop(...Object.values(given))
}

/** Loops that gpu.js has not, or not so fast. */
const plain: Readonly<Partial<Record<LoopName, LoopText>>> = {
  nearest: {
    reads: [],
    first: `const start = k * i; const end = start + k - 1; let worst = Infinity;
      for (let place = start; place <= end; place++) { distance[place] = Infinity; index[place] = -1; }`,
    pair: `if (r2 >= worst || j === i) continue;
      let place = end;
      for (; place > start && distance[place - 1] > r2; place--) { distance[place] = distance[place - 1]; index[place] = index[place - 1]; }
      distance[place] = r2; index[place] = j; worst = distance[end];`,
    last: {},
    end: 'for (let n = start; n <= end; n++) distance[n] = Math.sqrt(distance[n]);',
  },
  logsumexp: {
    reads: [],
    first: 'let largest = -Infinity; let total = 0;',
    pair: `if (j === i) continue;
      if (-r2 > largest) { total = total * Math.exp(largest + r2) + 1; largest = -r2; } else total += Math.exp(-r2 - largest);`,
    last: { value: ['largest + Math.log(total)'] },
  },
}

function plainCode(
  { reads, first, pair, last, end = '', square, displacement }: LoopText,
  { dimension }: Points,
): string {
  const axes = xyz.slice(0, dimension)
  const place = square ? 'count * i + j' : 'i'
  const write = Object.entries(last).flatMap(([name, parts]) =>
    parts.map((part, c) => `${name}[${parts.length > 1 ? `${parts.length} * i + ${c}` : place}] = ${part};`),
  )
  const visit = `${displacementCode(axes, displacement)} ${pair}`
  const results = `${write.join(' ')} ${end}`
  return `for (let i = 0; i < count; i++) {
    ${ownCode(axes, reads, `${visit} ${results}`)} ${first}
    for (let j = 0; j < count; j++) { ${visit} ${square ? results : ''} }
    ${square ? '' : results}
  }`
}

/** The two points of a pair receive opposite terms. Sums are multiplied by the factors of their targets at the end. */
function onceCode(law: LawText): string {
  const { reads, weight, factor, result, axes = [], term, displacement } = law
  const width = Math.max(1, axes.length)
  const parts = axes.length === 0 ? ['0'] : axes
  const at = (point: string, c: number) => `${result}[${width} * ${point} + ${c}]`
  const times = (part: string) => (axes.length === 0 ? '' : ` * d${part}`)
  const opposite = axes.length === 0 ? '+' : '-'
  const both = parts.map((part, c) => `f${part} += a${times(part)}; ${at('j', c)} ${opposite}= b${times(part)};`)
  const space = axes.length === 0 ? xyz : axes
  const visit = `${displacementCode(space, displacement)} ${within(
    law,
    `${term('1')} const a = c * ${weight}[j]; const b = c * ${own(weight)}; ${both.join(' ')}`,
  )}`
  return `${result}.fill(0);
  for (let i = 0; i < count; i++) {
    ${ownCode(space, reads, visit)} ${parts.map((part) => `let f${part} = 0;`).join(' ')}
    for (let j = 0; j < i; j++) { ${visit} }
    ${parts.map((part, c) => `${at('i', c)} += f${part};`).join(' ')}
  }
  for (let i = 0; i < count; i++) {
    ${ownCode([], reads, factor)} const factor = ${factor};
    ${parts.map((_, c) => `${at('i', c)} *= factor;`).join(' ')}
  }`
}
