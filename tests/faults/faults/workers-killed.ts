// Workers end while they compute.

import type { Engine } from 'manybody'
import type { Fault, Outcome } from '../fault.ts'
import { workers } from '../spies.ts'
import { induced, interrupted, run, simulation, useWorkers } from '../work.ts'

/** With fewer points, a page without isolation uses no worker. */
const counts = new Map([
  [run, 20_000],
  [simulation, 6000],
])

/** Milliseconds that the work may take after the end of the workers. */
const limit = 2000

async function attempt(work: typeof run, random: () => number): Promise<Outcome> {
  let at = 0
  let killed = 0
  const kill = () => {
    at = performance.now()
    for (const worker of workers.splice(0)) {
      worker.terminate()
      killed++
    }
  }
  const count = counts.get(work) ?? 0
  const options = { before: (engine: Engine) => useWorkers(engine, count) }
  const outcome = await interrupted(['cpu-wasm', 'reference'], work, count, random, kill, options)
  const late = performance.now() - at
  return at > 0 && late > limit
    ? { kind: 'bad', note: `${late} ms after the end of the workers` }
    : induced(killed > 0, outcome)
}

const how =
  'all workers are killed at a random moment of work of 20,000 or 6000 points that they share (`Worker.terminate`)'

export const workersKilled: readonly Fault[] = [
  { name: 'workers killed, run', how, tries: 1000, attempt: (random) => attempt(run, random) },
  { name: 'workers killed, simulation', how, attempt: (random) => attempt(simulation, random) },
]
