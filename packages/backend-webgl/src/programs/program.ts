/**
 * What the programs of this backend have in common beyond the contract: they can leave results on the device, which is
 * how a sequence of them steps without reading back.
 *
 * @module
 */
import type { Bindings, Program } from '@manybody/core'
import type { Binding } from '@manybody/core/expression'
import { evaluate } from '@manybody/core/expression'
import type { Sheet } from '../host/host.ts'

export interface WebglProgram extends Program {
  /** Resolves when it has compiled; its report then says how long that took. @throws {@link ProgramCompilationError} */
  ready(): Promise<void>
  /** Submits one run; the named results, as flat sheets that are the caller's to free. Nothing is waited for. */
  submit(bindings: Bindings, names: readonly string[]): Readonly<Record<string, Sheet>>
  /** Names of the results that `submit` gives, with their length in numbers. */
  readonly resident: Readonly<Record<string, number>>
}

/** Values of the bindings that change per run, in float64, for the uniforms of the same names. */
export function runValues(
  run: readonly Binding[],
  parameters: Readonly<Record<string, number>>,
): Record<string, number> {
  const values: Record<string, number> = { ...parameters }
  for (const { name, expr } of run) values[name] = evaluate(expr, values)
  return Object.fromEntries(run.map(({ name }) => [name, values[name] as number]))
}
