/**
 * Remembers the inputs of a run, to check that the device did not change them.
 *
 * @module
 */
import type { ArrayResults, Bindings } from '@manybody/core'

type Numbers = ArrayResults[string]

/** Copies of all plain arrays of a run. */
export class InputCopies {
  readonly #arrays: readonly (readonly [name: string, array: Numbers, copy: Numbers])[]

  constructor({ targets, sources, tables, exclusions, ranges }: Bindings, initial: ArrayResults = {}) {
    const named: Readonly<Record<string, unknown>> = {
      ...prefixed('targets', targets.arrays),
      ...prefixed('sources', sources.arrays),
      ...(tables && { tables }),
      ...prefixed('exclusions', exclusions ?? {}),
      ...prefixed('ranges', ranges ?? {}),
      ...prefixed('initial', initial),
    }
    this.#arrays = Object.entries(named).flatMap(([name, array]) =>
      isNumbers(array) ? [[name, array, array.slice()] as const] : [],
    )
  }

  /** The arrays that changed, one sentence each. */
  changes(): readonly string[] {
    return this.#arrays
      .filter(([, array, copy]) => copy.length !== array.length || copy.some((value, n) => value !== array[n]))
      .map(([name]) => `the run changed its input ${name}`)
  }
}

const prefixed = (prefix: string, entries: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [`${prefix}.${name}`, value]))

function isNumbers(value: unknown): value is Numbers {
  return ArrayBuffer.isView(value) && !(value instanceof DataView)
}
