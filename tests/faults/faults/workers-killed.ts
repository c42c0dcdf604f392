// Workers end while they compute.

import type { Fault } from '../fault.ts'
import { used, workers } from '../spies.ts'
import { induced, interrupted, run, simulation } from '../work.ts'

/** A run of fewer points uses no worker that computes on copies. */
const points = new Map([
  [run, 20_000],
  [simulation, 6000],
])

/** A worker counts if it had work before. */
const attempt = (work: typeof run, isolated: boolean) => async (random: () => number) => {
  let killed = 0
  const outcome = await interrupted(['cpu-wasm', 'reference'], work, points.get(work) ?? 0, random, () => {
    for (const worker of workers.splice(0)) {
      worker.terminate()
      if (isolated || used.has(worker)) killed++
    }
  })
  return induced(killed > 0, outcome)
}

export const workersKilled: readonly Fault[] = [run, simulation].flatMap((work) => {
  const what = work === run ? 'run' : 'simulation'
  const how = 'all workers are killed at a random moment (`Worker.terminate`)'
  return [
    { name: `workers killed, ${what}`, how, attempt: attempt(work, true) },
    { name: `workers killed without isolation, ${what}`, how, isolated: false, attempt: attempt(work, false) },
  ] as const
})
