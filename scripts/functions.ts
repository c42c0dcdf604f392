// Makes docs/functions.md: how accurate every function is, and what it gives where it has no finite value, from the data that
// the conformance suite holds every backend to. A test holds the page against it.

import { edges } from '../packages/conformance/src/functions/arguments.ts'
import { functionAccuracy } from '../packages/core/src/expression/function-accuracy.ts'
import type { AccuracyRange } from '../packages/core/src/expression/functions/errors.ts'

const exact = ({ relative, absolute }: AccuracyRange) => relative === undefined && absolute === undefined

/** The page as it should be. */
export function functionsPage(): string {
  const names = Object.entries(functionAccuracy)
  const rows = names
    .filter(([, ranges]) => !ranges.every(exact))
    .flatMap(([name, ranges]) =>
      ranges.map(({ upTo, relative = '0', absolute = '0' }) => [
        `\`${name}\``,
        upTo === undefined ? 'any' : `up to ${upTo}`,
        `\`${relative}\``,
        `\`${absolute}\``,
      ]),
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
      'Results below 2^-125 (2.4e-38) may be 0. In float64 a unit is 2^-51. The conformance suite measures every function on',
      'every backend, range by range. `npm run functions` writes this page, and a test checks that it is current.',
    ].join('\n'),
    table(['function', 'size of x', 'relative', 'absolute'], rows),
    `Exact: ${names.flatMap(([name, ranges]) => (ranges.every(exact) ? [`\`${name}\``] : [])).join(', ')}.`,
    [
      'Sines and cosines of larger numbers lie between -1 and 1, but no digit is correct. If angles may become large, reduce them',
      'to one turn in float64.',
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

const number = (x: number) => (Object.is(x, -0) ? '-0' : String(x))

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
