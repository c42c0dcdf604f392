// Simulations on a cluster, with every sum over pairs on a worker: those that do more than take steps, and a share of all others. Without a
// server, the tests are skipped by name.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { cluster, joinCluster } from '@manybody/cluster'
import { createEngine, gravity, ias15, pairTerm, type SimulationOptions, sum, tree } from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { natsServerProgram, startNatsServer } from '../../cluster/nats-server.ts'
import { inShare } from '../../support/share.ts'
import { approximatedSimulations } from '../../support/simulations/approximated.ts'
import { barostatSimulations } from '../../support/simulations/barostat.ts'
import { cutoffSimulations } from '../../support/simulations/cutoffs.ts'
import { eventSimulations } from '../../support/simulations/events.ts'
import { shortSimulations } from '../../support/simulations/every.ts'
import { minimizingSimulations } from '../../support/simulations/minimizing.ts'
import { populationSimulations } from '../../support/simulations/population.ts'
import { testParticleSimulations } from '../../support/simulations/test-particles.ts'

const program = await natsServerProgram()
const server = 'path' in program ? await startNatsServer(program.path) : undefined
afterAll(() => server?.stop())

const always = [
  ...[...minimizingSimulations, ...testParticleSimulations, ...eventSimulations],
  ...[...populationSimulations, ...cutoffSimulations, ...barostatSimulations],
].map(([name]) => name)
/** They look for a tree, but workers compute all pairs. */
const trees = approximatedSimulations.map(([name]) => name)
const chosen = shortSimulations.filter(
  ([name]) => !trees.includes(name) && (always.includes(name) || inShare(name, 0, 8)),
)

if (!server) {
  describe.skip(`cluster: ${'missing' in program ? program.missing : ''}`, () => {
    test('needs a NATS server', () => {})
  })
} else {
  const home = cpuWasm({ threadsFrom: 0 })
  const { url: servers } = server
  const worker = await joinCluster({ servers, name: 'simulations', backends: [home] })
  const open = (precision: 'f32' | 'f64') =>
    createEngine({ backends: [cluster({ servers, name: 'simulations', always: true, home })], precision })
  const [engine, exact] = await Promise.all([open('f32'), open('f64')])
  afterAll(async () => {
    for (const one of [engine, exact]) one.dispose()
    await worker.leave()
  })

  test.each(chosen)('%s', (_, run) => run(engine))

  test('steps of the host, as those of ias15, sum over pairs on workers', async () => {
    const comet: SimulationOptions = {
      law: gravity(),
      particles: {
        position: [0, 0, 1.9, 0],
        velocity: [0, 0, 0, Math.sqrt(0.1 / 1.9)],
        mass: [1, 1e-12],
        dimension: 2,
      },
      ...{ integrator: ias15, dt: 0.01 },
    }
    await using alone = await createEngine({ backends: [home], precision: 'f64', threads: 1 })
    await using simulation = await exact.simulate(comet)
    await using expected = await alone.simulate(comet)
    for (const one of [simulation, expected]) await one.step(10)
    expect(simulation.time).toBeCloseTo(expected.time, 12)
    for (const [n, x] of (await expected.read('position')).entries())
      expect((await simulation.read('position'))[n]).toBeCloseTo(x, 12)
  })

  test('a force with a tolerance is computed by all pairs', async () => {
    const count = 3000
    const position = Float32Array.from({ length: 3 * count }, (_, n) => Math.sin(12.9898 * n * n))
    const workload = sum(pairTerm('1/sqrt(r2 + 0.01)')(), { method: tree({ tolerance: 1e-2 }) })
    const { report } = await engine.run(workload, { position })
    expect(report.variant).toContain('worker')
    expect(report.evaluated).toBe(report.interactions)
  })
}
