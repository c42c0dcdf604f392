// Random sums with a tolerance, on the processor: 99 % of the targets are within it, whatever the law and the points, and the report has
// the measured error.

import { bind } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { truthOf } from '../../../packages/core/src/engine/truth.ts'
import { perTarget } from '../../../packages/core/src/problem/workloads/pair.ts'
import { seeds } from '../../support/random/problem.ts'
import { processorEngines } from '../../support/random/processor.ts'
import { treeProblem } from '../../support/random/trees.ts'

const engines = await processorEngines()

const all = seeds(40)
let approximated = 0

test.each(all)('seed %i', async (seed) => {
  const { workload, particles, tolerance } = treeProblem(seed)
  const sums = perTarget(workload)
  const { shape, bindings } = bind(sums, particles)
  // Compares a hundred targets, or all.
  const step = Math.ceil(shape.targets / 100)
  const compared = Array.from({ length: Math.ceil(shape.targets / step) }, (_, n) => n * step)
  const { results, scales } = truthOf(sums, shape, bindings, { precision: 'f64', targets: compared })
  const [[name, expected]] = Object.entries(results) as [[string, Float64Array]]
  const width = expected.length / compared.length
  for (const engine of engines) {
    const { report, ...found } = await engine.run(sums, particles as never)
    const got = (found as Readonly<Record<string, Float64Array>>)[name] as Float64Array
    const allowed = tolerance + (engine.device.info.precision === 'f32' ? 1e-5 : 1e-12)
    const beyond = compared.filter((target, row) => {
      const apart = Array.from(
        { length: width },
        (_, n) => (got[target * width + n] as number) - (expected[row * width + n] as number),
      )
      return !(Math.hypot(...apart) <= allowed * (scales[name]?.[row] as number))
    })
    // If 99 % of all targets are within, so are 98 % of a sample, except by bad luck.
    expect(beyond.length).toBeLessThanOrEqual(2)
    expect(report.error).toMatchObject({ tolerance, ok: true })
    if (report.evaluated < report.interactions) approximated++
  }
})

test('many of the sums were approximated', () => {
  expect(approximated).toBeGreaterThan(all.length / 2)
})
