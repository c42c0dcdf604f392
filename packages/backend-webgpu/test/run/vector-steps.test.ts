// The steps of a sum that is a vector: a budget that changes divides the sources into steps, and a step into parts or none.

import { pairTerm, type Shape, sum } from '@manybody/core'
import { expect, test } from 'vitest'
import { designsOf } from '../../src/compile/designs/designs.ts'
import type { VectorDesign } from '../../src/design/design.ts'
import { leastLimits } from '../../src/design/least-limits.ts'
import type { Dispatch } from '../../src/design/shader.ts'
import { resultsOf } from '../../src/run/drivers/drivers.ts'
import { workIn } from '../support/work.ts'

const [count, length] = [700, 40]
const workload = sum(pairTerm('exp(-sqdist(x_i, x_j))*vector(b_j)')())
const shape: Shape = {
  ...{ dimension: 3, targets: count, sources: count, sameSet: true, vectors: [] },
  lengths: { x: 2, b: length },
}
const host = { info: { name: 'a GPU', kind: 'hardware' }, limits: leastLimits, subgroups: undefined } as const
const design = designsOf(workload, shape, host).of() as VectorDesign
const set = { count, arrays: {} }

/** The dispatches of each step. @param budgets sources of the first steps; the others have as many as the last of these */
function stepsOf(budgets: readonly number[], initial: boolean) {
  const bindings = { targets: set, sources: set, parameters: {} }
  let asked = 0
  const budget = () => count * (budgets[Math.min(asked++, budgets.length - 1)] as number)
  const options = initial ? { initial: { value: new Float32Array(count * length) } } : {}
  const { scratch, steps } = workIn(design, { bindings, options, budget }, resultsOf(design, bindings, {}, false))
  return { scratch, steps: [...steps].map(({ dispatches, done }) => ({ dispatches, done })) }
}

test.each([
  ['in parts, then in one', [320, 1], [true, ...new Array<boolean>(12).fill(false)]],
  ['in one, then in parts', [1, 320, 320], [false, true, true]],
  ['at once in parts', [500], [true]],
] as const)('%s: each source is met once, and each step continues from the one before', (_, budgets, inParts) => {
  for (const initial of [false, true]) {
    const { scratch, steps } = stepsOf(budgets, initial)
    expect(steps.map(({ dispatches }) => dispatches.length === 2)).toEqual(inParts)
    let next = 0
    for (const [n, { dispatches, done }] of steps.entries()) {
      const [loop, add] = dispatches as [Dispatch, Dispatch?]
      const { sourceFirst, sourceLast, chunk, parts, carry } = loop.values as Record<string, number>
      expect([sourceFirst, carry, done === 1]).toEqual([next, n > 0 || initial ? 1 : 0, n === steps.length - 1])
      next = sourceLast as number
      // The last part has a source, and no part is left out.
      expect(Math.ceil((next - (sourceFirst as number)) / (chunk as number))).toBe(parts)
      expect(loop.size[1]).toBe((parts as number) * design.blocks)
      expect(add?.values ?? loop.values).toEqual(loop.values)
      if (add) expect(scratch.partial).toBeGreaterThanOrEqual(4 * (parts as number) * count * length)
    }
    expect(next).toBe(count)
  }
})
