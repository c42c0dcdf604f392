// Compiled modules contain no names of the caller.

import {
  createEngine,
  forces,
  map,
  matrix,
  pairPotential,
  pairTerm,
  potentials,
  stencil,
  sum,
  tree,
} from '@manybody/core'
import { afterEach, expect, test, vi } from 'vitest'
import { cpuWasm } from '../src/index.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('the text contains no names of attributes, parameters, components, outputs or laws', async () => {
  const compile = vi.spyOn(WebAssembly, 'compile')
  await using engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
  const proof = compile.mock.calls.length
  const numbers = { zqxp: 1.5, zqxq: 0.5 }
  const options = { name: 'zqxlaw', parameters: numbers, inertia: 'zqxm' }
  const law = pairPotential('zqxp*zqxa_i*zqxa_j/sqrt(r2 + zqxq^2)', options)()
  const term = pairTerm({ zqxc: 'zqxp*zqxa_j', zqxd: 'exp(-zqxq*r2)*zqxb_i' }, { parameters: numbers })()
  const particles = { position: [0, 0, 0, 1, 2, 2], zqxa: [1, 2], zqxb: [3, 4], zqxm: [1, 1] }
  for (const workload of [forces(law), matrix(law), sum(term)]) await engine.run(workload, particles)
  // By blocks, with a tolerance, over given ranges, and each pair once.
  const tolerant = potentials(law, { method: tree({ tolerance: 0.1 }) })
  await engine.run(forces(law, { cutoff: 9 }), particles, { plan: { variant: 'blocks' } })
  const spread = (count: number) => Float32Array.from({ length: count }, (_, n) => (n * 0.618034) % 1)
  const { report } = await engine.run(tolerant, { position: spread(6000), zqxa: spread(2000) })
  expect(report.error).toMatchObject({ ok: true, targets: expect.any(Number) })
  expect(report.evaluated).toBeLessThan(report.interactions)
  const ranges = { targets: [0, 2], offsets: [0, 1], sources: [0, 1] }
  await engine.run(forces(law), particles, { ranges })
  await engine.run(forces(law), particles, { plan: { variant: 'pairs-once' } })
  const { zqxo } = await engine.run(map({ zqxo: 'zqxp*zqxa + zqxq' }, numbers), particles)
  expect([...zqxo]).toEqual([2, 3.5])
  await engine.run(stencil({ zqxo: 'zqxp*c + xp' }, { cells: [1, 2], spacing: 1 }, { zqxp: 2 }), { field: [1, 2] })
  const modules = compile.mock.calls.slice(proof).map(([bytes]) => Buffer.from(bytes as Uint8Array).toString('latin1'))
  expect(modules.length).toBeGreaterThan(10)
  for (const module of modules) expect(module).not.toContain('zqx')
})
