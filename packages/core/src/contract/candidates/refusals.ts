/**
 * Why candidates cannot run some work. The engine then gives the work to its next candidate, and the report says so.
 *
 * One object belongs to each workload, and one to each simulation, so that repeated work goes at once where it ran before.
 *
 * @module
 */
import { brief, ProgramCompilationError, UnsupportedWorkloadError } from '../../ground/errors.ts'

/** The longest message of a compiler in a note. Shaders are long, and so are complaints about them. */
const longestMessage = 200

/** Whether a device cannot run the work, though another one may. */
export const isRefusal = (error: unknown): error is UnsupportedWorkloadError | ProgramCompilationError =>
  error instanceof UnsupportedWorkloadError || error instanceof ProgramCompilationError

export class Refusals {
  readonly #errors = new Map<string, Error>()
  /** Why no other candidate may take over from now on. */
  stays: string | undefined

  /** @param what the kind of the work, for messages: "workload", "simulation" */
  constructor(readonly what: string) {}

  get size(): number {
    return this.#errors.size
  }

  has(backend: string): boolean {
    return this.#errors.has(backend)
  }

  /** @throws UnsupportedWorkloadError if no other candidate may take over */
  add(backend: string, error: Error): void {
    if (this.stays !== undefined)
      throw new UnsupportedWorkloadError(this.what, backend, `${reasonOf(error)}; ${this.stays}`, { cause: error })
    this.#errors.set(backend, error)
  }

  /** Sentences for the report of work that ran on another backend. */
  notes(ran: string): readonly string[] {
    return [...this.#errors].map(
      ([backend, error]) => `${backend} cannot run this ${this.what}: ${reasonOf(error)}; ran on ${ran}`,
    )
  }

  /** Forgets all, and gives the error for work that no candidate can run, with one line for each. */
  takeError(): Error {
    const errors = [...this.#errors]
    this.#errors.clear()
    const [[, first] = []] = errors
    if (first && errors.length === 1) return first
    const lines = errors.map(([backend, error]) => `\n  ${backend}: ${reasonOf(error)}`)
    const of = first instanceof UnsupportedWorkloadError ? first.workload : this.what
    const backends = errors.map(([backend]) => backend).join(' or ')
    return new UnsupportedWorkloadError(of, backends, `no candidate can run it${lines.join('')}`, { cause: first })
  }
}

function reasonOf(error: Error): string {
  if (error instanceof ProgramCompilationError)
    return `its program does not compile (${brief(error.messages.join('; '), longestMessage)})`
  return (error as Partial<UnsupportedWorkloadError>).reason ?? error.message
}
