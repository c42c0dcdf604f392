// The setting that a sum in a plane starts from: it follows from how terms fall, in any unit of length. Nothing runs.

import { expect, test } from 'vitest'
import { mesh, pairPotential, periodic, potentials } from '../../src/index.ts'
import { kernelsOf } from '../../src/methods/mesh/kernels.ts'
import { MeshSums } from '../../src/methods/mesh/mesh-sums.ts'
import { firstRung, rungsOf } from '../../src/methods/mesh/rungs.ts'
import { parametersOf } from '../../src/problem/workloads/parameters.ts'

const dimension = 2

test.each(['-q_i*q_j*log(r)', 'q_i*q_j*sqrt(r)'])(
  'the first setting is the same in every unit of length: %s',
  (text) => {
    const shape = { dimension, targets: 1e5, sources: 1e5, sameSet: true, vectors: ['position'] } as const
    const traits = [1, 2, 4, 100, 1e6].map((side) => {
      const workload = potentials(pairPotential(text)(), {
        boundary: periodic([side, side]),
        method: mesh({ tolerance: 1e-5 }),
      })
      const programs = { using: () => expect.fail('nothing runs') }
      const sums = new MeshSums(programs, workload, kernelsOf(workload, shape), shape, 'f64')
      return sums.traitsOf({ parameters: parametersOf(workload) })
    })
    for (const one of traits) {
      expect(one).toMatchObject({ dimension, sources: 1e5 })
      expect('power' in one && one.power).toBeCloseTo(0, 9)
    }
    // Errors fall with the number of points, so coarser settings do.
    const first = ([1e3, 1e5] as const).map((sources) =>
      firstRung(rungsOf(false), 1e-5, { ...traits[0], sources } as never),
    )
    expect(first[1]).toBeLessThan(first[0] as number)
  },
)
