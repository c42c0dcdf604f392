/** The error of the typed law for the current points, compared with float64; and the error and the time of every backend. */

import { backends, type Selection, type Verdict, type Verification } from 'manybody'
import { openEngine, Session } from './session.ts'

export async function verify(session: Session): Promise<Verification> {
  return session.engine.verify(session.workload(), await session.points())
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

export type Row = Compared | { readonly backend: string; readonly reason: string }

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

/** How long each backend computes, at least one step. */
const sampling = 250

/** One row for each backend, as soon as it is done. */
export async function* compare(session: Session): AsyncGenerator<Row> {
  const state = await session.simulation.snapshot()
  for (const { name } of backends()) {
    try {
      const engine = await openEngine({ backend: name, variant: '' })
      try {
        const other = await Session.begin(
          { ...session.setup, backend: name, variant: '' },
          engine,
          state,
          async () => {},
        )
        await other.simulation.step(1)
        const began = performance.now()
        let steps = 0
        while (performance.now() - began < sampling) {
          await other.simulation.step(1)
          steps++
        }
        const milliseconds = (performance.now() - began) / steps
        const { max: error, bound, ok, report } = await verify(other)
        other.dispose()
        yield {
          ...{ backend: name, device: report.device, kind: report.kind, variant: report.variant },
          milliseconds,
          error,
          bound,
          ok,
        }
      } finally {
        engine.dispose()
      }
    } catch (error) {
      yield { backend: name, reason: error instanceof Error ? error.message : String(error) }
    }
  }
}
