/**
 * Fast Fourier transforms of lines in workgroup memory, in WGSL. Several lines are transformed side by side: number n of line b is
 * at `n * lines + b`. Lengths have the factors 2, 3 and 5.
 *
 * @source Stockham's sorted passes: Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), 1.7
 * @module
 */
import { wgsl } from '../../design/wgsl.ts'

/** Invocations of a workgroup. */
export const transformWorkgroup = 256

/** Bytes of a complex number, and how many of them a number of a line takes, because passes go from one copy of a line to another. */
const [complexBytes, copies] = [8, 2]

/** The most workgroup memory that lines take, so that several workgroups run at once on a processor of the device. */
const mostMemory = 2 ** 15

/** How many lines of a length a workgroup transforms; 0 if none fits. @param bytes of workgroup memory that the device has */
export function linesOf(length: number, bytes: number): number {
  const line = lineMemory(length, 1)
  return line > bytes ? 0 : Math.max(1, Math.min(64, Math.floor(Math.min(bytes, mostMemory) / line)))
}

/** Bytes of workgroup memory for lines. */
export const lineMemory = (length: number, lines: number): number => copies * complexBytes * length * lines

/** The roots of 1 that a line's passes take: `exp(-2 pi i k / length)`, as pairs of numbers. */
export function rootsOf(length: number): Float32Array<ArrayBuffer> {
  const roots = new Float32Array(2 * length)
  for (let k = 0; k < length; k++) {
    const angle = (-2 * Math.PI * k) / length
    roots.set([Math.cos(angle), Math.sin(angle)], 2 * k)
  }
  return roots
}

export interface LineTransform {
  /** Declarations of both copies, and of functions. */
  readonly functions: string
  /** Statements that transform the lines in `here`, once all invocations have passed a barrier. They end with one. */
  readonly statements: string
  /** The copy with the result. */
  readonly result: 'here' | 'other'
}

/** The transform with the sign of `exp(-i k x)`. With exchanged parts, it is the inverse one. */
export function lineTransform(length: number, lines: number): LineTransform {
  const statements: string[] = []
  let [from, to]: ['here' | 'other', 'here' | 'other'] = ['here', 'other']
  let width = lines
  for (let rest = length; rest > 1; ) {
    const radix = radixOf(rest)
    statements.push(
      pass({ radix, width, items: (length * lines) / radix, step: length / rest, last: rest === radix, from, to }),
    )
    width *= radix
    rest /= radix
    ;[from, to] = [to, from]
  }
  return { functions: functionsFor(length, lines), statements: statements.join('\n'), result: from }
}

type Radix = keyof typeof butterflies

function radixOf(rest: number): Radix {
  const radix = ([4, 2, 3, 5] as const).find((one) => rest % one === 0)
  if (radix === undefined) throw new RangeError(`"length" expected factors 2, 3 and 5, got the factor ${rest}`)
  return radix
}

interface Pass {
  readonly radix: Radix
  /** How many numbers go through the pass together. */
  readonly width: number
  /** How many transforms of `radix` numbers the pass has. */
  readonly items: number
  /** From one root of the pass to the next in the table. */
  readonly step: number
  readonly last: boolean
  readonly from: string
  readonly to: string
}

function pass({ radix, width, items, step, last, from, to }: Pass): string {
  const inputs = Array.from({ length: radix }, (_, k) => `let x${k} = ${from}[item + ${k * items}u];`)
  const outputs = Array.from({ length: radix }, (_, b) => {
    const value = b === 0 || last ? `y${b}` : `times(y${b}, roots[run.roots + part * ${b * step}u])`
    return `${to}[goes + ${b * width}u] = ${value};`
  })
  return wgsl`for (var item = lane; item < ${items}u; item += ${transformWorkgroup}u) {
  let part = item / ${width}u;
  let goes = item + part * ${(radix - 1) * width}u;
  ${inputs}
  ${butterflies[radix]}
  ${outputs}
}
workgroupBarrier();`
}

/** The transforms of `x0`, `x1` ... to `y0`, `y1` ... */
const butterflies = {
  2: wgsl`let y0 = x0 + x1;
let y1 = x0 - x1;`,
  3: wgsl`let sum = x1 + x2;
let turned = ${Math.sqrt(3) / 2}f * minusI(x1 - x2);
let rest = x0 - 0.5 * sum;
let y0 = x0 + sum;
let y1 = rest + turned;
let y2 = rest - turned;`,
  4: wgsl`let even = x0 + x2;
let evenApart = x0 - x2;
let odd = x1 + x3;
let oddApart = minusI(x1 - x3);
let y0 = even + odd;
let y1 = evenApart + oddApart;
let y2 = even - odd;
let y3 = evenApart - oddApart;`,
  5: wgsl`let outer = x1 + x4;
let outerApart = minusI(x1 - x4);
let inner = x2 + x3;
let innerApart = minusI(x2 - x3);
let first = x0 + ${cosine(1)}f * outer + ${cosine(2)}f * inner;
let second = x0 + ${cosine(2)}f * outer + ${cosine(1)}f * inner;
let firstTurned = ${sine(1)}f * outerApart + ${sine(2)}f * innerApart;
let secondTurned = ${sine(2)}f * outerApart - ${sine(1)}f * innerApart;
let y0 = x0 + outer + inner;
let y1 = first + firstTurned;
let y2 = second + secondTurned;
let y3 = second - secondTurned;
let y4 = first - firstTurned;`,
} as const

function cosine(n: number): number {
  return Math.cos((2 * Math.PI * n) / 5)
}

function sine(n: number): number {
  return Math.sin((2 * Math.PI * n) / 5)
}

const functionsFor = (length: number, lines: number): string => wgsl`
var<workgroup> here: array<vec2f, ${length * lines}>;
var<workgroup> other: array<vec2f, ${length * lines}>;
fn times(a: vec2f, b: vec2f) -> vec2f { return vec2f(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
// A number times -i.
fn minusI(a: vec2f) -> vec2f { return vec2f(a.y, -a.x); }`
