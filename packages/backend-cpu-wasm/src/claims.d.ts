// Types of claims.js, which workers load without a compiler.

/** What all threads of a pool see. */
export interface Shared {
  readonly control: Int32Array
  readonly claims: BigInt64Array
}

/** The phases of a program in one thread, in the order in which the module defines them. */
export type Phases = readonly ((block: number, scratch: number, first: number, last: number) => void)[]

export const entry: Readonly<
  Record<
    | 'generation'
    | 'finished'
    | 'failed'
    | 'sleepers'
    | 'joined'
    | 'helpers'
    | 'program'
    | 'phase'
    | 'block'
    | 'scratch'
    | 'scratchBytes'
    | 'units'
    | 'callUnits'
    | 'calls'
    | 'mail'
    | 'holding',
    number
  >
>
export const closed: bigint
export function workOnce(shared: Shared, programs: ReadonlyMap<number, Phases>, thread: number): boolean
