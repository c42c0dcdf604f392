// A run is aborted at a random moment; it must end at once, however large it is.

import type { Fault, Outcome } from '../fault.ts'
import { interrupted, run, simulation } from '../work.ts'

/** Milliseconds after the abort; ten times the aim, because the machine may be busy. */
const limit = 1000

async function aborted(backend: string, work: typeof run, random: () => number): Promise<Outcome> {
  const controller = new AbortController()
  let at = 0
  const abort = () => {
    at = performance.now()
    controller.abort(new Error('enough'))
  }
  const outcome = await interrupted(backend, work, 2000, random, abort, { signal: controller.signal })
  const late = performance.now() - at
  return at > 0 && late > limit ? { kind: 'bad', note: `${late} ms after the abort` } : outcome
}

const of = (name: string, backend: string, work: typeof run, isolated?: false): Fault => ({
  name: `abort, ${name}`,
  how: 'the signal is aborted at a random moment',
  ...(isolated === false ? { isolated } : {}),
  attempt: (random) => aborted(backend, work, random),
})

export const abort: readonly Fault[] = [
  of('cpu-wasm', 'cpu-wasm', run),
  of('cpu-wasm without isolation', 'cpu-wasm', run, false),
  of('cpu-wasm, simulation', 'cpu-wasm', simulation),
  of('webgl', 'webgl', run),
  of('webgpu', 'webgpu', run),
]
