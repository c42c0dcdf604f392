/**
 * The states of a fold on the host: reads results from them, and makes them from results of earlier ranges.
 *
 * @module
 */
import type { ArrayResults } from '@manybody/core'
import { play } from '@manybody/core/backend'
import type { FoldState, NumbersState, PickState, SmallestState, SumState } from '../../design/fold-state.ts'
import { asFinite, largest, standsForInfinity, withInfinity } from '../../design/infinity.ts'

export interface FoldStates {
  /** Number c of the state of target t before the first source, taken from results of earlier ranges if there are any. */
  before(t: number, c: number, initial?: ArrayResults): number
  /** The results of a run. `read` returns some numbers of every target's state. */
  results(read: (offset: number, components: number) => Float32Array): ArrayResults
}

const kinds: {
  readonly [Kind in FoldState['kind']]: (state: Extract<FoldState, { kind: Kind }>) => FoldStates
} = {
  sum: sumStates,
  count: () => countStates,
  pick: pickStates,
  smallest: smallestStates,
  numbers: numbersStates,
}

export const statesOf = (state: FoldState): FoldStates => (kinds[state.kind] as (state: FoldState) => FoldStates)(state)

function sumStates({ name, components }: SumState): FoldStates {
  return {
    before: (t, c, initial) => initial?.[name]?.[t * components + c] ?? 0,
    results: (read) => ({ [name]: read(0, components) }),
  }
}

const countStates: FoldStates = {
  before: (t, _, initial) => initial?.count?.[t] ?? 0,
  results: (read) => ({ count: Uint32Array.from(read(0, 1)) }),
}

function pickStates({ empty: standIn }: PickState): FoldStates {
  const empty = withInfinity(standIn)
  return {
    before: (t, c, initial) => {
      const value = initial?.value?.[t] ?? empty
      if (c === 1) return initial?.index?.[t] ?? -1
      return value === empty ? standIn : value
    },
    results: (read) => {
      const index = read(1, 1)
      const value = read(0, 1).map((term, t) => (index[t] === -1 ? empty : term))
      return { index: Int32Array.from(index), value }
    },
  }
}

function smallestStates({ k, result }: SmallestState): FoldStates {
  const rooted = result === 'distance'
  return {
    before: (t, c, initial) => {
      const distance = initial?.[result]?.[t * k + (c % k)] ?? Number.POSITIVE_INFINITY
      if (c >= k) return initial?.index?.[t * k + c - k] ?? -1
      return Number.isFinite(distance) ? (rooted ? distance * distance : distance) : Number(largest)
    },
    results: (read) => {
      const index = Int32Array.from(read(k, k))
      const numbers = read(0, k)
      const given = numbers.map((term, n) =>
        index[n] === -1 ? Number.POSITIVE_INFINITY : rooted ? Math.sqrt(term) : term,
      )
      return { index, [result]: given }
    },
  }
}

/** Formulas give the results of a state, and the state of results. */
function numbersStates({ names, first, results, values, fromResults }: NumbersState): FoldStates {
  const empties = results.map(({ empty }) => withInfinity(empty))
  return {
    before: (t, c, initial) => {
      const given = results.map(({ name }, n) => [name, initial?.[name]?.[t] ?? (empties[n] as number)] as const)
      const isEmpty = given.every(([, value], n) => value === empties[n])
      return asFinite((isEmpty ? first : play(fromResults, Object.fromEntries(given)))[c] as number)
    },
    results: (read) => {
      const columns = names.map((_, n) => read(n, 1))
      const targets = columns[0]?.length ?? 0
      const found = results.map(() => new Float32Array(targets))
      // One object for all targets: making one for each would take longer than the formulas.
      const state: Record<string, number> = {}
      for (let t = 0; t < targets; t++) {
        names.forEach((name, n) => {
          state[name] = columns[n]?.[t] as number
        })
        const isFirst = first.every((empty, n) => isAlike(columns[n]?.[t] as number, empty))
        const ofTarget = isFirst ? empties : play(values, state)
        found.forEach((column, n) => {
          column[t] = ofTarget[n] as number
        })
      }
      return Object.fromEntries(results.map(({ name }, n) => [name, found[n] as Float32Array]))
    },
  }
}

/** Whether a number of a shader equals the number of the state before the first term. */
function isAlike(value: number, empty: number): boolean {
  return standsForInfinity(empty) ? standsForInfinity(value) && Math.sign(value) === Math.sign(empty) : value === empty
}
