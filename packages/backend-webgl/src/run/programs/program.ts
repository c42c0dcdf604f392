/**
 * Programs of this backend. Beyond the contract, they can leave results on the device, so that a sequence steps without reading
 * back.
 *
 * @module
 */
import type { Bindings, DeviceInfo, Program, RunOptions, Shape } from '@manybody/core'
import type { RunRanges } from '@manybody/core/backend'
import type { ResultPlace } from '../../design/design.ts'
import type { GlHost, Sheet } from '../host/host.ts'
import type { Sheets } from '../host/memory.ts'

/** The parts of an opened device that every program uses. */
export interface OpenedHost {
  readonly host: GlHost
  readonly sheets: Sheets
  readonly info: DeviceInfo
}

export interface WebglProgram extends Program {
  readonly shape: Shape
  /** Resolves when the program has compiled; its report then includes the time. @throws {@link ProgramCompilationError} */
  ready(): Promise<void>
  /** The ranges of a run or a stage. @throws TypeError, RangeError */
  ranges(given: Pick<RunOptions, 'targets' | 'sources'>, bindings: Bindings): RunRanges
  /** Submits one run without waiting. Returns the named results as flat sheets, which the caller must free. */
  submit(bindings: Bindings, names: readonly string[], ranges: RunRanges): Readonly<Record<string, Sheet>>
  /** The results that `submit` can return, with their numbers per target. */
  readonly resident: Readonly<Record<string, number>>
}

/** The numbers per target of each result. */
export const componentsIn = (results: Readonly<Record<string, ResultPlace>>): Record<string, number> =>
  Object.fromEntries(Object.entries(results).map(([name, [, components]]) => [name, components]))
