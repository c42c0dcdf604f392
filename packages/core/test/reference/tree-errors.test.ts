// Errors and costs of trees as measured on some targets, and the choice of the cheapest setting that meets a tolerance.

import { expect, it } from 'vitest'
import { accelerations, gravity, type PairWorkload, pairTerm, sum } from '../../src/index.ts'
import { spreadTargets } from '../../src/methods/tolerance/sampled.ts'
import { TreeProblem } from '../../src/truth/reference/tree-loop.ts'
import { random as randomOf } from '../support/random.ts'
import { calibrate, TreeTruth, treeSettings } from '../support/tree-errors.ts'

const random = randomOf(71)

function truthOf(workload: PairWorkload, count: number, wanted = 64): TreeTruth {
  const sources = {
    position: Float64Array.from({ length: 3 * count }, () => random()),
    mass: new Float64Array(count).fill(1),
  }
  const shape = { dimension: 3, targets: count, sources: count, sameSet: true, vectors: ['position'] } as const
  const data = { targets: sources, sources, parameters: workload.law.parameters }
  return new TreeTruth(new TreeProblem(workload, shape, data), spreadTargets(count, wanted))
}

it('spreads targets over the set, each once', () => {
  const targets = spreadTargets(1000, 256)
  expect(targets.length).toBeGreaterThan(250)
  for (let part = 0; part < 10; part++)
    expect(targets.filter((target) => Math.floor(target / 100) === part).length).toBeGreaterThan(20)
  expect(spreadTargets(3, 256).length).toBeLessThanOrEqual(3)
})

it('counts the pairs of a setting as they are computed', () => {
  const truth = truthOf(accelerations(gravity()), 1500, 40)
  for (const setting of [{ proxies: 'simplex', opening: 0.8 } as const, { proxies: 2, opening: 0.6 }])
    expect(truth.problem.pairsOf(setting, truth.targets) / truth.targets.length).toBe(truth.errorsOf(setting).pairs)
})

it('chooses the cheapest setting within half the tolerance', () => {
  const truth = truthOf(accelerations(gravity()), 1500, 32)
  const found = [3e-2, 4e-3].map((tolerance) => {
    const setting = calibrate(truth, tolerance)
    if (!setting) throw new Error(`expected a setting for ${tolerance}`)
    const { pairs, errors } = truth.errorsOf(setting)
    expect(Math.max(...errors)).toBeLessThanOrEqual(tolerance / 2)
    for (const other of treeSettings) {
      if (truth.problem.pairsOf(other, truth.targets) / truth.targets.length >= pairs) continue
      expect(Math.max(...truth.errorsOf(other).errors)).toBeGreaterThan(tolerance / 2)
    }
    return pairs
  })
  expect(found).toEqual(found.toSorted((a, b) => a - b))
  expect(found[0]).toBeLessThan(1500 / 4)
})

it('chooses none where all pairs are as cheap, or where the law jumps', () => {
  expect(calibrate(truthOf(accelerations(gravity()), 200), 1e-6)).toBeUndefined()
  const jumps = pairTerm('select(sin(300*r) < 0, mass_j, -mass_j)', { name: 'stripes' })()
  expect(calibrate(truthOf(sum(jumps), 600, 20), 1e-3)).toBeUndefined()
})
