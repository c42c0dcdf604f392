// Graphics compilers may add the parts of a term to a sum one by one. If a part is the same for all pairs, its roundings are, too.

import { describe, expect, test } from 'vitest'
import { givenTo, truthOf } from '../../src/engine/truth.ts'
import { alikeAddends } from '../../src/error-analysis/addends.ts'
import { parse } from '../../src/expression/parse.ts'
import { pairTerm } from '../../src/interactions/define.ts'
import { resultErrors } from '../../src/reference/result-errors.ts'
import { bind } from '../../src/workloads/bind.ts'
import { sum } from '../../src/workloads/pair.ts'
import { numbersBetween, random } from '../support/random.ts'

const f = Math.fround
const names = ['dx', 'r2', 'w_j', 'p']

test.each([
  ['0.1 + p*r2', 1],
  ['(r2 - 1)*0.1', 1],
  ['(r2 - w_j + p)*0.1', 2],
  ['r2*0.1', 0],
  ['w_j', 0],
  ['r2 - dx', 0],
  ['(r2 + 1)*(r2 - 1)', 0],
])('%s has %i parts that do not depend on the distance', (text, count) => {
  expect(alikeAddends(parse(text, { names }))).toHaveLength(count)
})

describe('a sum of (r2 - 1)*0.1 over 216 points', () => {
  const count = 216
  const position = Float32Array.from(numbersBetween(random(5), 3 * count, -1, 1))
  const workload = sum(pairTerm('(r2 - 1)*0.1')())
  const { shape, bindings } = bind(workload, { position })
  const squares = (i: number) =>
    Array.from({ length: count }, (_, j) => j)
      .filter((j) => j !== i)
      .map((j) =>
        f(
          [0, 1, 2].reduce(
            (r2, c) => r2 + f((position[3 * j + c] as number) - (position[3 * i + c] as number)) ** 2,
            0,
          ),
        ),
      )
  const targets = [0, 1, 2, 3, 4, 5, 6, 7]
  const truth = truthOf(workload, shape, bindings, { targets }).results

  /** The largest error, in bounds, of sums that a device computes so. */
  const largest = (kind: 'cpu' | 'hardware', add: (sum: number, r2: number) => number): number => {
    const value = Float32Array.from(targets, (i) => squares(i).reduce(add, 0))
    const report = { accumulation: 'running', precision: 'f32', kind } as const
    const compared = { workload, ...givenTo({ workload, shape, bindings }, 'f32'), targets, report, truth }
    const judged = resultErrors({ ...compared, results: { value } })
    return Math.max(...judged.map(({ value }) => (value?.errors[0] as number) / (value?.bounds[0] as number)))
  }
  const whole = (sum: number, r2: number) => f(sum + f(f(r2 - 1) * f(0.1)))
  const inParts = (sum: number, r2: number) => f(f(sum - f(0.1)) + f(0.1) * r2)

  test('may be added in parts by a graphics device, but not by a processor', () => {
    expect(largest('hardware', inParts)).toBeLessThan(1)
    expect(largest('hardware', inParts)).toBeGreaterThan(0.2)
    expect(largest('cpu', inParts)).toBeGreaterThan(1)
    expect(largest('cpu', whole)).toBeLessThan(1)
  })

  test('is still rejected if a hundred thousandth is missing', () => {
    expect(largest('hardware', (sum, r2) => whole(sum, r2 * 1.00001))).toBeGreaterThan(1)
  })
})
