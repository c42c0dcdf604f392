// One call of each kind in the library, for the soak. A backend must reject calls that it does not support.

import {
  accelerations,
  anglePotential,
  cellIndex,
  countWithin,
  type Engine,
  energy,
  externalPotential,
  langevin,
  map,
  matrix,
  nearest,
  neighborsWithin,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  rungeKutta4,
  stencil,
  tree,
  UnsupportedWorkloadError,
} from 'manybody'
import { law, points } from '../work.ts'

/** A call on some engine, with about this many points. */
type Call = (engine: Engine, count: number) => Promise<unknown>

const grid = { cells: [8, 8, 8], spacing: 1 } as const
const field = Float32Array.from({ length: 512 }, (_, n) => Math.sin(n))
const gaussian = pairTerm('exp(-r2)')()
const rough = { method: tree({ tolerance: 1e-2 }) }
const spring = pairPotential('k*(r - 0.1)^2/2', { parameters: { k: 1 } })()
const bend = anglePotential('k*(theta - 2)^2/2', { parameters: { k: 1 } })()
const trap = externalPotential('(position_x^2 + position_y^2 + position_z^2)/2')()
const box = { boundary: periodic([2, 2, 2]), cutoff: 0.9, shift: true, exclusions: [[0, 1]] } as const

const placed = (count: number) => ({ position: points(count).position })
const moving = (count: number) => ({ ...points(count), velocity: new Float32Array(3 * count) })
const chain = (count: number) => Array.from({ length: count - 1 }, (_, n) => [n, n + 1] as const)

async function unlessUnsupported(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof UnsupportedWorkloadError)) throw error
  })
}

async function simulated(
  engine: Engine,
  options: Parameters<Engine['simulate']>[0],
  use: (simulation: Awaited<ReturnType<Engine['simulate']>>) => Promise<unknown>,
): Promise<void> {
  const simulation = await engine.simulate(options)
  try {
    await use(simulation)
  } finally {
    simulation.dispose()
  }
}

export const soakCalls: Readonly<Record<string, Call>> = {
  accelerations: (engine, count) => engine.run(accelerations(law), points(count)),
  'an energy': (engine, count) => engine.run(energy(law), points(count)),
  'potentials in a box with excluded pairs': (engine, count) => engine.run(potentials(law, box), points(count)),
  'two sets': (engine, count) => engine.run(potentials(law), { targets: points(count), sources: points(2 * count) }),
  'ranges of sources': (engine, count) => {
    const ranges = { targets: [0, 5, count], offsets: [0, 1, 2], sources: [0, 7, 3, count] }
    return engine.run(accelerations(law), points(count), { ranges })
  },
  'a sum with a tolerance': (engine, count) => engine.run(potentials(law, rough), points(count)),
  'the least and the greatest': async (engine, count) => {
    await engine.run(reduce('argmin', gaussian), placed(count))
    await engine.run(reduce('logsumexp', gaussian), placed(count))
  },
  'the nearest': (engine, count) => engine.run(nearest(4), placed(count)),
  'counts of neighbors': (engine, count) => engine.run(countWithin(0.3), placed(10 * count)),
  'lists of neighbors': (engine, count) => unlessUnsupported(engine.run(neighborsWithin(0.3), placed(count))),
  'a matrix': (engine, count) => engine.run(matrix(gaussian), placed(count)),
  'a stream that is left early': async (engine, count) => {
    for await (const { last } of engine.stream(matrix(gaussian), placed(count), { rows: 4 })) if (last >= 8) break
  },
  'a map': (engine, count) => engine.run(map({ y: '2*mass + 1' }), { mass: points(count).mass }),
  'cells of points': (engine, count) => engine.run(cellIndex(grid), placed(count)),
  'a stencil': (engine) => engine.run(stencil({ l: 'xm + xp - 2*c' }, grid), { field }),
  totals: (engine, count) => engine.total({ sum: 'mass', squares: 'mass^2' }, { mass: points(count).mass }),
  'results in earlier arrays': async (engine, count) => {
    const into = await engine.run(accelerations(law), points(count))
    await engine.run(accelerations(law), points(count), { into })
  },
  'a prepared program': async (engine, count) => {
    const program = await engine.prepare(accelerations(law), { count })
    await program.run(points(count))
    program.dispose()
  },
  'a check of a result': (engine, count) => engine.verify(accelerations(law), points(count), { sample: 4 }),
  'an aborted run': async (engine, count) => {
    const controller = new AbortController()
    const run = engine.run(accelerations(law), points(count), { signal: controller.signal })
    controller.abort()
    await run.catch(() => {})
  },
  'a rejected run': async (engine, count) => {
    await engine.run(accelerations(law), placed(count) as never).catch(() => {})
  },
  'several runs at once': (engine, count) =>
    Promise.all(Array.from({ length: 4 }, () => engine.run(accelerations(law), points(count)))),
  'a simulation': (engine, count) =>
    simulated(engine, { law, particles: moving(count), dt: 0.01 }, async (simulation) => {
      await simulation.step(3)
      await simulation.energy()
      await simulation.read('position')
    }),
  'a simulation with bonds, angles, a trap and a thermostat': (engine, count) => {
    const forces = [
      { law, cutoff: 0.5 },
      { law: spring, bonds: chain(count) },
      { law: bend, angles: [[0, 1, 2]] as const },
      trap,
    ]
    const integrator = langevin({ temperature: 0.1, friction: 1, seed: count })
    return simulated(engine, { forces, particles: moving(count), integrator, dt: 0.001 }, async (simulation) => {
      await simulation.step(2)
      await simulation.total({ mass: 'mass' })
    })
  },
  'a simulation with a tolerance': (engine, count) => {
    const forces = [{ law, ...rough }]
    return simulated(engine, { forces, particles: moving(4 * count), dt: 0.001 }, async (simulation) => {
      await simulation.step(2)
      await simulation.forceErrors()
    })
  },
  'a simulation whose steps adapt': (engine, count) => {
    const dt = { accuracy: 0.01, length: 0.05, shortest: 1e-4, longest: 0.05 }
    return simulated(engine, { law, particles: moving(count), dt }, (simulation) => simulation.step(3))
  },
  'a simulation that is written, stored and resumed': (engine, count) =>
    simulated(engine, { law, particles: moving(count), dt: 0.001 }, async (simulation) => {
      await simulation.step(2)
      await simulation.write('position', points(count).position)
      const resumed = await engine.resume(await simulation.snapshot())
      await resumed.step(2)
      resumed.dispose()
    }),
  'frames that are left early': (engine, count) =>
    simulated(engine, { law, particles: moving(count), integrator: rungeKutta4, dt: 0.001 }, async (simulation) => {
      for await (const { steps } of simulation.frames({ every: 2, fields: ['position'] })) if (steps >= 4) break
    }),
  'a run over a buffer of WebGPU': (engine, count) =>
    simulated(engine, { law, particles: moving(count), dt: 0.001 }, async (simulation) => {
      if (engine.device.info.backend !== 'webgpu') return
      const { buffer } = await simulation.gpuBuffer('position')
      await engine.run(accelerations(law), { position: buffer, mass: points(count).mass })
    }),
}
