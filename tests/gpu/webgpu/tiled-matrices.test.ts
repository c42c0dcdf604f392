// Matrices of laws of vectors, in the loop of cards, whose pairs meet in tiles: beside the reference, with many and few pairs, one set and
// two, and the parts of the matrix that a run leaves out.

import {
  createEngine,
  type DomainOptions,
  type Interaction,
  matrix,
  type Particles,
  pairTerm,
  reference,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, describe, expect, test } from 'vitest'
import { profiles, webgpuPlannedFor } from '../../support/gpu/gpu-profiles.ts'

const waves = (count: number, by: number) => Float32Array.from({ length: count }, (_, n) => Math.sin(by * n * n + n))
const alone = (count: number, length: number) => ({
  ...{ x: waves(count * length, 0.37), b: waves(count, 0.2) },
  ...{ position: waves(3 * count, 0.11), count },
})

interface Subject {
  readonly law: Interaction
  readonly points: Readonly<Record<string, unknown>>
  readonly domain?: DomainOptions
  /** Columns of the matrix that a workgroup computes. */
  readonly columns?: number
}

const kernelOf = pairTerm('exp(-s*sqdist(x_i, x_j))*b_j', { parameters: { s: 0.3 } })
const kernel = kernelOf()
const subjects: Readonly<Record<string, Subject>> = {
  'few points': { law: kernel, points: alone(70, 5) },
  'more components than a tile keeps': { law: kernelOf({ s: 0.02 }), points: alone(33, 41) },
  'many points': { law: kernel, points: alone(1100, 7), columns: 128 },
  'two sets and several functions': {
    law: pairTerm('dot(x_i, y_j)/(norm(x_i)*norm(y_j)) + sum(abs(x_i - g*y_j)) + dot(u_i, v_j)', {
      parameters: { g: Array(9).fill(0.5) },
    })(),
    points: {
      targets: { x: waves(33 * 9, 0.3), u: waves(33 * 3, 0.1), count: 33 },
      sources: { y: waves(71 * 9, 0.7), v: waves(71 * 3, 0.4), count: 71 },
    },
  },
  'points with themselves': { law: kernel, points: alone(40, 6), domain: { self: 'include' } },
  'excluded pairs': {
    law: kernel,
    points: alone(70, 9),
    domain: {
      exclusions: [
        [3, 5],
        [5, 3],
        [60, 2],
        [60, 69],
      ],
    },
  },
  'a cutoff': { law: pairTerm('r*sqdist(x_i, x_j)')(), points: alone(70, 9), domain: { cutoff: 1 } },
}

describe('a matrix in tiles is that of the reference', async () => {
  const [profile] = profiles
  if (!profile) throw new Error('no profile of a card')
  const backend = webgpuPlannedFor(profile)
  const card = await createEngine({ backends: [backend], backend: 'webgpu' })
  const exact = await createEngine({ backends: [reference()], backend: 'reference', precision: 'f64' })
  afterAll(() => {
    card.dispose()
    exact.dispose()
  })

  test.each(Object.entries(subjects))('%s', async (_, { law, points: given, domain, columns = 32 }) => {
    const points = given as Particles
    const { value, report } = await card.run(matrix(law, domain), points)
    expect(report.variant).toContain(`columns ${columns}, rows ${columns}`)
    const truth = (await exact.run(matrix(law, domain), points)).value
    const size = truth.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
    expect(size).toBeGreaterThan(0.5)
    const worst = truth.reduce((most, x, n) => Math.max(most, Math.abs(x - (value[n] ?? Number.NaN))), 0)
    expect(worst).toBeLessThan(2e-6 * size)
  })

  test('columns that a run leaves out keep their numbers', async () => {
    const workload = matrix(kernel)
    const { shape, bindings } = bind(workload, alone(70, 5))
    const device = await backend.open()
    const program = await device.prepare(workload, shape)
    const { value: all = [] } = await program.run(bindings)
    const earlier = { value: new Float32Array(40 * 70).fill(7) }
    const { value = [] } = await program.run(bindings, { targets: [10, 50], sources: [20, 61], initial: earlier })
    const wanted = Array.from(all.slice(700, 3500), (x, n) => (n % 70 < 20 || n % 70 >= 61 ? 7 : x))
    expect(Array.from(value)).toEqual(wanted)
    program.dispose()
    device.dispose()
  })
})
