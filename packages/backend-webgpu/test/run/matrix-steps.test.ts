// The steps of a matrix: a budget divides the rows into blocks of whole groups.

import { coulomb, matrix, type Shape } from '@manybody/core'
import { expect, test } from 'vitest'
import { designsOf } from '../../src/compile/designs/designs.ts'
import type { MatrixDesign } from '../../src/design/design.ts'
import { leastLimits } from '../../src/design/least-limits.ts'
import { resultsOf } from '../../src/run/drivers/drivers.ts'
import { workIn } from '../support/work.ts'

const count = 100
const workload = matrix(coulomb())
const shape: Shape = { dimension: 3, targets: count, sources: count, sameSet: true, vectors: ['position'] }
const host = { info: { name: 'a GPU', kind: 'hardware' }, limits: leastLimits, subgroups: undefined } as const
const design = designsOf(workload, shape, host).of() as MatrixDesign
const set = { count, arrays: {} }

/** Rows of each step. @param fits rows that fit the budget */
function rowsOf(fits: number, arrayBytes = design.arrayBytes): readonly number[] {
  const bindings = { targets: set, sources: set, parameters: { k: 1 } }
  const limited = { ...design, arrayBytes }
  const results = resultsOf(limited, bindings, {}, false)
  const { steps } = workIn(limited, { bindings, options: {}, budget: () => fits * count }, results)
  return [...steps].map(({ interactions }) => interactions / count)
}

test.each([
  ['a budget between two and three groups', 47.5, [32, 32, 36]],
  ['a budget of one group', 16, [16, 16, 16, 16, 16, 16, 4]],
  ['a budget below one group, which is the least', 3, [16, 16, 16, 16, 16, 16, 4]],
  ['a budget above all rows', 1000, [100]],
])('%s', (_, fits, rows) => {
  expect(rowsOf(fits)).toEqual(rows)
})

test('an array that holds fewer rows than the budget takes whole groups, too, and fewer rows if no group fits', () => {
  expect(rowsOf(1000, 4 * count * 40)).toEqual([32, 32, 36])
  expect(rowsOf(1000, 4 * count * 30)).toEqual([16, 16, 16, 16, 16, 20])
  expect(rowsOf(1000, 4 * count * 9)).toEqual([...new Array<number>(11).fill(9), 1])
})
