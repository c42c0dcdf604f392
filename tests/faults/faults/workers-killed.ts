// Workers end while they compute.

import type { Fault } from '../fault.ts'
import { workers } from '../spies.ts'
import { induced, interrupted, run, simulation } from '../work.ts'

const attempt = (work: typeof run) => async (random: () => number) => {
  let killed = 0
  const outcome = await interrupted(['cpu-wasm', 'reference'], work, 1500, random, () => {
    for (const worker of workers.splice(0)) {
      worker.terminate()
      killed++
    }
  })
  return induced(killed > 0, outcome)
}

export const workersKilled: readonly Fault[] = [run, simulation].flatMap((work) => {
  const what = work === run ? 'run' : 'simulation'
  const how = 'all workers are killed at a random moment (`Worker.terminate`)'
  return [
    { name: `workers killed, ${what}`, how, attempt: attempt(work) },
    { name: `workers killed without isolation, ${what}`, how, isolated: false, attempt: attempt(work) },
  ] as const
})
