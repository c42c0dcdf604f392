/**
 * The errors a caller may want to catch, each with its data as fields.
 *
 * Wrong arguments are plain `TypeError` and `RangeError` (see `checks.ts`). These classes are for faults in the text of an
 * expression, and for faults that depend on the machine. Every message has the form: action, colon, state, remedy.
 *
 * @module
 */

import type { LossReason } from './report.ts'
import type { Verdict } from './selection.ts'

/** An expression does not parse, or names something that is not in scope. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  /** 1-based line of the fault in `text`. */
  readonly line: number
  /** 1-based column of the fault in `text`. */
  readonly column: number

  constructor(
    reason: string,
    readonly text: string,
    offset: number,
    /** Tokens that could have stood at that place. */
    readonly expected: readonly string[] = [],
  ) {
    const before = text.slice(0, offset).split('\n')
    const line = before.length
    const column = (before.at(-1)?.length ?? 0) + 1
    const source = (text.split('\n')[line - 1] ?? '').replace(/\r$/, '')
    const [shown, at] = excerpt(source, column - 1)
    // Tabs stay tabs, so that the caret stands beneath the fault however wide they are.
    const indent = shown.slice(0, at).replace(/[^\t]/g, ' ')
    super(`Cannot parse expression: ${brief(reason)} (line ${line}, column ${column})\n  ${shown}\n  ${indent}^`)
    this.line = line
    this.column = column
  }
}

/** Shortens a text by a caller or a compiler to a useful length: names and whole sources can be long. */
export const brief = (text: string, most = 2000): string => (text.length > most ? `${text.slice(0, most)}...` : text)

/** The maximum number of characters of a line in a message. */
const longestLine = 160

/** The part of a long line around a column, and the column within that part. */
function excerpt(line: string, at: number): readonly [shown: string, at: number] {
  if (line.length <= longestLine) return [line, at]
  const start = Math.max(0, Math.min(at - longestLine / 2, line.length - longestLine))
  const [before, after] = [start > 0 ? '...' : '', start + longestLine < line.length ? '...' : '']
  return [`${before}${line.slice(start, start + longestLine)}${after}`, before.length + at - start]
}

/** The device cannot run this workload at this shape; another backend may. */
export class UnsupportedWorkloadError extends Error {
  override readonly name = 'UnsupportedWorkloadError'
  constructor(
    readonly workload: string,
    readonly backend: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`Cannot run "${workload}" on ${backend}: ${reason}`, options)
  }
}

/** A backend was requested by name and cannot be opened here. */
export class BackendUnavailableError extends Error {
  override readonly name = 'BackendUnavailableError'
  constructor(
    readonly backend: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`Cannot open backend "${backend}": ${reason}`, options)
  }
}

/** No candidate could be opened and proven. The message has one line for each. */
export class NoBackendError extends Error {
  override readonly name = 'NoBackendError'
  constructor(readonly verdicts: readonly Verdict[]) {
    const lines = verdicts.map((v) => `\n  ${v.backend}: ${v.reason}`)
    super(
      `Cannot create an engine: no candidate backend can be used on this machine${lines.join('') || ' (none was given)'}`,
    )
  }
}

/** A device's compiler rejected generated code. This is a fault of the backend; the error has the details needed to fix it. */
export class ProgramCompilationError extends Error {
  override readonly name = 'ProgramCompilationError'
  constructor(
    readonly backend: string,
    readonly source: string,
    readonly messages: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`Cannot compile program on ${backend}: ${brief(messages.join('; '))}`, options)
  }
}

/** The device vanished while it was in use. The engine recovers from it; a bare device reports it. */
export class DeviceLostError extends Error {
  override readonly name = 'DeviceLostError'
  constructor(
    readonly backend: string,
    readonly loss: LossReason,
  ) {
    super(`Cannot continue with ${backend}: the device was lost (${loss.reason}); ${loss.remedy}`)
  }
}

/** A simulation has reached numbers that are not finite. Resume an earlier snapshot with a smaller `dt`. */
export class DivergedError extends Error {
  override readonly name = 'DivergedError'
  constructor(
    what: string,
    /** The number of steps taken. */
    readonly steps: number,
    /** The latest step with finite numbers only; -1 if the forces at the start are not finite. */
    readonly finiteSteps: number,
    /** Which pair, bond or operation has no finite value, if one is known. */
    readonly why?: string,
  ) {
    const since =
      finiteSteps < 0 ? 'numbers were not finite at the start' : `step ${finiteSteps + 1} left the finite numbers`
    const remedy = why !== undefined && finiteSteps < 0 ? '' : '; use a smaller dt or more softening'
    super(`Cannot continue: ${what} after step ${steps}, and ${since}${why ? `: ${why}` : ''}${remedy}`)
  }
}
