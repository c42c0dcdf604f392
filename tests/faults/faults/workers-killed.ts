// Workers end while they compute.

import { createEngine, type Engine } from 'manybody'
import type { Fault, Outcome } from '../fault.ts'
import { workers } from '../spies.ts'
import { induced, interrupted, run, simulation, useWorkers } from '../work.ts'

/** With fewer points, a page without isolation uses no worker. */
const many = 20_000
/** Workers with shared memory take part in steps with this many points. */
const few = 6000

/** Milliseconds that a run may take after the end of the workers. A simulation gets the time of all its steps on one thread besides. */
const limit = 2000

const alone = new Map<number, Promise<number>>()

/** Milliseconds of all steps of a simulation on one thread. */
function stepsAlone(count: number): Promise<number> {
  const known = alone.get(count) ?? timeAlone(count)
  alone.set(count, known)
  return known
}

async function timeAlone(count: number): Promise<number> {
  await using engine = await createEngine({ backend: 'cpu-wasm', threads: 1 })
  const began = performance.now()
  await simulation(engine, count)
  return performance.now() - began
}

async function attempt(work: typeof run, count: number, random: () => number): Promise<Outcome> {
  let at = 0
  let killed = 0
  const kill = () => {
    at = performance.now()
    for (const worker of workers.splice(0)) {
      worker.terminate()
      killed++
    }
  }
  const options = { before: (engine: Engine) => useWorkers(engine, count) }
  const outcome = await interrupted(['cpu-wasm', 'reference'], work, count, random, kill, options)
  const late = performance.now() - at
  const most = limit + (work === simulation ? await stepsAlone(count) : 0)
  return at > 0 && late > most
    ? { kind: 'bad', note: `${late} ms after the end of the workers` }
    : induced(killed > 0, outcome)
}

const how = (count: string) =>
  `all workers are killed at a random moment of work of ${count} points that they share (\`Worker.terminate\`)`

export const workersKilled: readonly Fault[] = [
  { name: 'workers killed, run', how: how('20,000'), tries: 1000, attempt: (random) => attempt(run, many, random) },
  { name: 'workers killed, simulation', how: how('6000'), attempt: (random) => attempt(simulation, few, random) },
  {
    name: 'workers killed without isolation, run',
    how: how('20,000'),
    isolated: false,
    tries: 1000,
    attempt: (random) => attempt(run, many, random),
  },
  {
    name: 'workers killed without isolation, simulation',
    how: how('20,000'),
    isolated: false,
    // One try takes 4 s.
    tries: 40,
    attempt: (random) => attempt(simulation, many, random),
  },
]
