/**
 * The server's entry for a simulation: who continues it, and references to its two latest states.
 *
 * @module
 */
import type { FloatArray, SimulationState } from '@manybody/core'
import { type ArrayRef, bytesOf, checkedRef, refOf, type TypedArray } from '../wire/arrays.ts'

/** A state by the hashes of its parts. */
export interface StateRef {
  readonly steps: number
  /** All but the arrays, as JSON. */
  readonly description: ArrayRef
  readonly arrays: Readonly<Record<string, ArrayRef>>
}

export interface Entry {
  /** Raised by everyone who takes over. */
  readonly epoch: number
  /** A random name of the process that owns the epoch. */
  readonly owner: string
  /** The latest first; the one before it serves if the latest is damaged. */
  readonly states: readonly StateRef[]
}

/** JSON has neither infinities nor a negative zero. */
const special = (value: unknown): value is number =>
  typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))

/** A state as references, and the contents of its parts by their hashes. */
export async function partsOf(
  state: SimulationState,
): Promise<{ readonly ref: StateRef; readonly contents: ReadonlyMap<string, Uint8Array> }> {
  const { arrays, ...rest } = state
  const text = JSON.stringify(rest, (_, value) =>
    special(value) ? { number: Object.is(value, -0) ? '-0' : String(value) } : value,
  )
  const contents = new Map<string, Uint8Array>()
  const kept = async (array: TypedArray) => {
    const ref = await refOf(array)
    contents.set(ref.hash, bytesOf(array))
    return ref
  }
  const refs = await Promise.all(
    Object.entries(arrays).map(async ([name, array]) => [name, await kept(array)] as const),
  )
  const description = await kept(new TextEncoder().encode(text))
  return { ref: { steps: state.steps, description, arrays: Object.fromEntries(refs) }, contents }
}

/** Restores a state from its references. `engine.resume` checks it. @param read fetches one part */
export async function stateFrom(
  { description, arrays }: StateRef,
  read: (ref: ArrayRef) => Promise<TypedArray>,
): Promise<SimulationState> {
  const text = new TextDecoder().decode(await read(description))
  const rest = JSON.parse(text, (_, value) =>
    typeof value?.number === 'string' && Object.keys(value).length === 1 ? Number(value.number) : value,
  )
  const parts = Object.entries(arrays).map(async ([name, ref]) => [name, (await read(ref)) as FloatArray] as const)
  return { ...rest, arrays: Object.fromEntries(await Promise.all(parts)) }
}

/** An entry as the server has it. @throws TypeError, RangeError if it is malformed */
export function entryFrom(bytes: Uint8Array): Entry {
  const { epoch, owner, states } = Object(JSON.parse(new TextDecoder().decode(bytes))) as Partial<Entry>
  if (!Number.isSafeInteger(epoch) || typeof owner !== 'string' || !Array.isArray(states))
    throw new TypeError('Cannot read checkpoint: expected an epoch, an owner and states')
  return {
    epoch: epoch as number,
    owner,
    states: states.map(({ steps, description, arrays }: StateRef) => ({
      steps: Number(steps),
      description: checkedRef(description, 'description'),
      arrays: Object.fromEntries(
        Object.entries(Object(arrays)).map(([name, ref]) => [name, checkedRef(ref, `arrays.${name}`)]),
      ),
    })),
  }
}

/** The hashes of all parts. */
export const hashesOf = (states: readonly StateRef[]): ReadonlySet<string> =>
  new Set(states.flatMap(({ description, arrays }) => [description, ...Object.values(arrays)].map(({ hash }) => hash)))
