// verify accepts right results of a software GPU: random laws, and points with repeating roundings.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { type Attributes, createEngine, type Particles, type Workload } from '@manybody/core'
import { afterAll, expect, test } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { alikePoints } from '../../support/random/alike-points.ts'
import { randomProblem, seeds } from '../../support/random/problem.ts'

const context = await angleContexts(2)
const engines = await Promise.all(
  [webgpu(), webgl({ context })].map((backend) => createEngine({ backends: [backend] })),
)
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

test.each(seeds(4))('verify accepts random laws and alike points, seed %i', async (seed) => {
  const { workload, particles } = randomProblem(seed)
  const [name, ...alike] = alikePoints(seed)
  const problems: readonly (readonly [name: string, workload: Workload, particles: Attributes | Particles])[] = [
    ['a random law', workload, particles],
    [name, ...alike],
  ]
  for (const [name, workload, particles] of problems)
    for (const engine of engines) {
      const { ok, worst, report } = await engine.verify(workload, particles as Attributes, { sample: 16 })
      expect({ name, backend: report.backend, ok, worst: ok || worst }).toMatchObject({ ok: true })
    }
})
