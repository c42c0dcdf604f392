/**
 * How threads divide the work of one phase over shared memory: the caller's thread and the workers claim calls one by one
 * from a counter.
 *
 * The counter is a 64-bit word with the job number in its upper half and the next call in its lower half. To claim a call, a
 * thread reads the word, then the arguments, then exchanges the word for its successor. The exchange succeeds only if the
 * arguments still belong to the job.
 *
 * @module
 */

/** The memory that all threads of a pool share. */
export interface Shared {
  readonly control: Int32Array
  readonly claims: BigInt64Array
}

/** The phases of a program in one thread, in the order in which the module defines them. */
export type Phases = readonly ((block: number, scratch: number, first: number, last: number) => void)[]

/**
 * Entries of the control array. `posted` and `inCall` have one entry per thread: how many messages were posted to it, and
 * whether it is in a call.
 */
export const entry = {
  generation: 0,
  finished: 1,
  failed: 2,
  sleepers: 3,
  joined: 4,
  helpers: 5,
  program: 6,
  phase: 7,
  block: 8,
  scratch: 9,
  scratchBytes: 10,
  units: 11,
  callUnits: 12,
  calls: 13,
  memoryPages: 14,
  posted: 16,
  inCall: 64,
} as const

/** The lower half of the counter while no call can be claimed. */
export const closed = 0xffffffffn

/**
 * Does one call of the job in `control`. Returns whether there was a call left to try.
 *
 * @param trapped gets the error of a call that fails, before the job is marked as failed
 * @param prepare gets the number of the program and the least size of its memory before each call
 */
export function workOnce(
  { control, claims }: Shared,
  programs: ReadonlyMap<number, Phases>,
  thread: number,
  trapped: (error: unknown) => void,
  prepare?: (program: number, pages: number) => void,
): boolean {
  const read = (name: keyof typeof entry) => control[entry[name]] as number
  const claim = Atomics.load(claims, 0)
  const next = Number(claim & closed)
  if (next >= read('calls') || thread > read('helpers')) return false
  const program = read('program')
  const phase = programs.get(program)?.[read('phase')]
  if (!phase) return false
  const first = next * read('callUnits')
  const last = Math.min(first + read('callUnits'), read('units'))
  const block = read('block')
  const pages = read('memoryPages')
  const scratch = read('scratch') + thread * read('scratchBytes')
  Atomics.store(control, entry.inCall + thread, 1)
  if (Atomics.compareExchange(claims, 0, claim, claim + 1n) === claim) {
    try {
      prepare?.(program, pages)
      phase(block, scratch, first, last)
    } catch (error) {
      trapped(error)
      Atomics.store(control, entry.failed, 1)
    }
    Atomics.or(control, entry.joined, 1 << thread)
    Atomics.add(control, entry.finished, 1)
  }
  Atomics.store(control, entry.inCall + thread, 0)
  return true
}
