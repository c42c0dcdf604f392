// A careless caller of an engine on a graphics device that moves short calls to the processor. It changes sizes back and forth, makes calls
// at once, aborts, takes workloads from JSON, changes arrays after the call, and disposes of the engine in the middle.

import {
  accelerations,
  createEngine,
  type Engine,
  forces,
  gravity,
  nearest,
  pairPotential,
  reference,
  type Workload,
} from '@manybody/core'
import { expect } from 'vitest'
import type { Dice } from './dice.ts'

const workloads: readonly Workload[] = [
  accelerations(gravity({ softening: 0.2 })),
  forces(pairPotential('mass_i*mass_j*exp(-r2)')()),
  nearest(2),
]
export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const truths = createEngine({ backends: [reference()], precision: 'f64' })

interface Called {
  /** The backend, if the result is right. */
  readonly right?: string
  readonly wrong?: string
  readonly rejected?: string
}

/** One call, judged by the reference. The caller changes its arrays at once. */
async function call(engine: Engine, dice: Dice): Promise<Called> {
  const chosen = dice.pick(workloads)
  const workload: Workload = dice.chance(0.3) ? JSON.parse(JSON.stringify(chosen)) : chosen
  const count = dice.pick([3, 20, 24, 30, 300])
  const position = Float32Array.from(dice.array(3 * count, -1, 1))
  const mass = Float32Array.from(dice.array(count, 0.5, 1))
  const particles = chosen.results.includes('distance') ? { position } : { position, mass }
  const expected = (await truths).run(workload, structuredClone(particles))
  const controller = new AbortController()
  const aborts = dice.chance(0.2)
  const moment = dice.pick([0, 1, 3])
  const running = engine.run(workload, particles, { signal: controller.signal })
  position.fill(0)
  if (aborts) setTimeout(() => controller.abort(new Error('enough')), moment)
  try {
    const { report, ...results } = await running
    const { report: _, ...truth } = await expected
    for (const [name, want] of Object.entries(truth as unknown as Record<string, Float64Array>)) {
      const got = (results as unknown as Record<string, Float32Array>)[name]
      const scale = want.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-3)
      const far = want.findIndex((x, k) => !(Math.abs(x - (got?.[k] ?? Number.NaN)) <= 1e-5 * scale))
      if (far >= 0) return { wrong: `${name}[${far}] expected ${want[far]}, got ${got?.[far]} on ${report.backend}` }
    }
    return { right: report.backend }
  } catch (error) {
    await expected
    return { rejected: aborts && error === controller.signal.reason ? 'aborted' : String(error) }
  }
}

/**
 * Calls the engine at random and disposes of it in the middle. It expects every call to be right or to say why not.
 *
 * @param most the most rounds of calls; they end once the processor has answered
 * @returns the backends that answered
 */
export async function callCarelessly(engine: Engine, dice: Dice, most: number): Promise<ReadonlySet<string>> {
  const done: Called[] = []
  const answered = () => new Set(done.flatMap(({ right }) => right ?? []))
  for (let n = 0; n < 30 || (n < most && !answered().has('cpu-wasm')); n++)
    done.push(...(await Promise.all(dice.list(dice.pick([1, 1, 1, 3]), () => call(engine, dice)))))
  const last = dice.list(6, () => call(engine, dice))
  await pause(dice.uniform(0, 4))
  engine.dispose()
  const ended = await Promise.all(last)
  expect(done.filter(({ right, rejected }) => right === undefined && rejected !== 'aborted')).toEqual([])
  for (const one of ended)
    if (one.right === undefined && one.rejected !== 'aborted') expect(one.rejected).toMatch(/dispose/)
  expect((await call(engine, dice)).rejected).toMatch(/dispose/)
  return answered()
}
