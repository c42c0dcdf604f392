// Makes docs/functions.md, which gives the accuracy of each function and its values at points without a finite value. Also makes the table
// of functions in docs/expressions.md. Both come from the data that the conformance suite uses for every backend. A test compares the
// pages.

import { markdownTable } from '../../bench/src/report/markdown-table.ts'
import { edges } from '../../packages/conformance/src/functions/arguments.ts'
import {
  float64Accuracy,
  functionAccuracy,
  processorAccuracy,
} from '../../packages/core/src/language/function-accuracy.ts'
import type { Accuracy, AccuracyRange } from '../../packages/core/src/language/functions/errors.ts'
import { functions, numericNames } from '../../packages/core/src/language/functions/table.ts'

const exact = ({ relative, absolute }: AccuracyRange) => relative === undefined && absolute === undefined

/** The expected page. */
export function functionsPage(): string {
  const names = Object.entries(functionAccuracy)
  const inexact = names.filter(([, ranges]) => !ranges.every(exact))
  const processors = Object.entries(processorAccuracy).filter(
    ([name, ranges]) => ranges !== functionAccuracy[name as keyof typeof functionAccuracy],
  )
  const inFloat64 = Object.entries(float64Accuracy).filter(
    ([name, ranges]) => ranges !== processorAccuracy[name as keyof typeof processorAccuracy],
  )
  const values = edges.map(({ text, x, y, value }) => [
    `\`${text}\``,
    number(x),
    y === undefined ? '' : number(y),
    number(value),
  ])
  return `${[
    '# How accurate functions are',
    [
      'This page lists the largest error of each function and operation in float32, on every backend, for operands that float32',
      'holds exactly. Errors count in units of 2^-24 (6e-8): `relative` times the size of the exact value, plus `absolute`. `x` and',
      '`y` are the operands and `f` is the exact value. `power` is `x^y` with a constant `y` that is not a multiple of one half.',
      'Results below 2^-125 (2.4e-38) may be 0. The conformance suite measures every function on every backend, range by range.',
      '`npm run functions` writes this page, and a test checks that it is current.',
    ].join('\n'),
    table(head, rowsOf(inexact)),
    `Exact: ${names.flatMap(([name, ranges]) => (ranges.every(exact) ? [`\`${name}\``] : [])).join(', ')}.`,
    'On backends that run on a processor, these have smaller errors in float32.',
    table(head, rowsOf(processors)),
    [
      'In float64 a unit is 2^-53. The truth of `engine.verify` is then computed by the functions of JavaScript, which have errors of',
      'that size as well. The table gives the errors of both together. Roots and quotients are as accurate as in float32.',
    ].join('\n'),
    table(head, rowsOf(inFloat64)),
    [
      'Sines and cosines of larger numbers lie between -1 and 1, and tangents are finite, but no digit is correct. If angles may',
      'become large, reduce them to one turn in float64.',
    ].join('\n'),
    '## Results that are not finite',
    [
      'Comparisons with NaN are false. `step`, `sign`, `min`, `max` and `select` follow from comparisons: `min(a, b)` is b if',
      'b < a, and a otherwise. Every other function of NaN is NaN, or infinite on drivers that treat `exp` of NaN that way; it is',
      'never a finite number. WGSL and GLSL allow a driver to assume that NaN does not occur. There, `min`, `max` and `atan2`',
      'therefore ask whether an argument is NaN. On WebGPU, a law that does little else becomes a third slower.',
    ].join('\n'),
    table(['expression', 'x', 'y', 'value'], values),
  ].join('\n\n')}\n`
}

/** The rows of the table of functions: names, and entries that are not calls of a function. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'roots and powers': ['`sqrt(x)`', '`inverseSqrt(x)`', '`x^n`', 'pow'],
  polynomials: ['`poly(x, c0, c1, c2, ...)`: `c0 + c1*x + c2*x^2 + ...`, with 1 to 64 coefficients'],
  exponentials: ['exp', 'log', 'tanh', 'sech', 'erf', 'erfc'],
  angles: ['sin', 'cos', 'tan', 'atan2'],
  pieces: ['abs', 'sign', 'min', 'max', 'floor', 'ceil', 'round'],
  choices: ['`step(x)`: 1 for `x >= 0`, else 0; `step(edge, x)` is `step(x - edge)`; `select(condition, a, b)`'],
}

/** docs/expressions.md with the current table of functions. Functions without a group are in its last row. */
export function expressionsPage(page: string): string {
  const texts = Object.values(groups).flat().join()
  const others = numericNames.filter((name) => !new RegExp(`\\b${name}\\b`).test(texts))
  const rows = Object.entries(others.length ? { ...groups, others } : groups).map(([title, entries]) => {
    const called = entries.map((entry) => {
      const name = numericNames.find((name) => name === entry)
      return name ? `\`${name}(${functions[name].operands.join(', ')})\`` : entry
    })
    return [title, called.join(' ')]
  })
  return page.replace(/(?<=## Functions\n\n)(\|.*\n)+/, () => `${markdownTable(['', ''], rows)}\n`)
}

const head = ['function', 'size of x', 'relative', 'absolute']

const rowsOf = (accuracies: readonly (readonly [name: string, ranges: Accuracy])[]) =>
  accuracies.flatMap(([name, ranges]) =>
    ranges.map(({ upTo, relative = '0', absolute = '0' }) => [
      `\`${name}\``,
      upTo === undefined ? 'any' : `up to ${upTo}`,
      `\`${relative}\``,
      `\`${absolute}\``,
    ]),
  )

const number = (x: number) => (Object.is(x, -0) ? '-0' : String(x))

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
