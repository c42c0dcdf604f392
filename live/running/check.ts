/** The error of the typed law for the current points, compared with float64, and the error and the time of every backend. */

import { backends, type Selection, type Verdict, type Verification } from 'manybody'
import { openEngine, Session } from './session.ts'

export async function verify(session: Session, signal?: AbortSignal): Promise<Verification> {
  return session.engine.verify(session.workload(), await session.points(), { signal })
}

interface Compared {
  readonly backend: string
  readonly device: string
  readonly kind: string
  readonly variant: string
  readonly milliseconds: number
  readonly error: number
  readonly bound: number
  readonly ok: boolean
}

/** The result of a backend, or why it has none. */
export type Row = Compared | { readonly backend: string; readonly reason: string }

/** The present activity of a backend, which may take long. */
export interface Doing {
  readonly backend: string
  readonly doing: string
}

/** The selection. If the visitor chose a backend, the others were not probed, so this probes them. */
export async function wholeSelection({ verdicts }: Selection): Promise<readonly Verdict[]> {
  const unasked = backends().filter(({ name }) => !verdicts.some(({ backend }) => backend === name))
  const others = unasked.map(async (backend): Promise<Verdict> => {
    const found = await backend.probe()
    return found.available
      ? { backend: backend.name, outcome: 'available', device: found.device, reason: 'you chose another' }
      : { backend: backend.name, outcome: 'unavailable', reason: found.reason }
  })
  return [...verdicts, ...(await Promise.all(others))]
}

/** How many milliseconds each backend computes, at least one step. */
const sampling = 250

/** If the first step, which also compiles, takes this many milliseconds, no second one follows. */
const long = 10_000

/** Yields a row for each backend as soon as it is done, and its activities before that. Ends early if the signal aborts. */
export async function* compare(session: Session, signal: AbortSignal): AsyncGenerator<Row | Doing> {
  const state = await session.simulation.snapshot()
  for (const { name: backend } of backends()) {
    if (signal.aborted) return
    const setup = { ...session.setup, backend, variant: '' }
    try {
      yield { backend, doing: 'opens and compiles' }
      const engine = await openEngine(setup)
      try {
        const other = await Session.begin(setup, engine, state, async () => {})
        yield { backend, doing: 'takes steps' }
        const milliseconds = await stepTime(other, signal)
        yield { backend, doing: 'is compared with float64' }
        const { max: error, bound, ok, report } = await verify(other, signal)
        other.dispose()
        const { device, kind, variant } = report
        yield { backend, device, kind, variant, milliseconds, error, bound, ok }
      } finally {
        engine.dispose()
      }
    } catch (error) {
      if (!signal.aborted) yield { backend, reason: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** The milliseconds of a step. */
async function stepTime({ simulation }: Session, signal: AbortSignal): Promise<number> {
  const first = performance.now()
  await simulation.step(1, { signal })
  const began = performance.now()
  if (began - first > long) return began - first
  let steps = 0
  while (performance.now() - began < sampling) {
    await simulation.step(1, { signal })
    steps++
  }
  return (performance.now() - began) / steps
}
