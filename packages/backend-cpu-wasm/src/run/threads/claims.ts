/**
 * How threads divide the work of one phase over shared memory: the caller's thread and the workers claim calls one by one
 * from a counter.
 *
 * The counter is a 64-bit word with the job number in its upper half and the next call in its lower half. To claim a call, a
 * thread reads the word, then the arguments, then exchanges the word for its successor. The exchange succeeds only if the
 * arguments still belong to the job.
 *
 * A job may have parts, whose calls must follow each other in order, because they add to the same sums. Each part has a word of its
 * own. Its lowest bit says whether a thread is in a call of the part, and the bits above count the calls that were done. A thread claims a
 * call of the part with the most work left among those where no thread is, so that all parts end together. It finds no call if others
 * are in all parts that are left; these go on with them.
 *
 * @module
 */

/** The memory that all threads of a pool share. */
export interface Shared {
  readonly control: Int32Array
  /** The counter, then a word for each part. */
  readonly claims: BigInt64Array
  /** The halves of these words, the lower one first. */
  readonly halves: Int32Array
}

/** Over shared memory for some entries of the control array, the counter, and the words of parts. */
export function sharedOver(buffer: SharedArrayBuffer, entries: number): Shared {
  const control = new Int32Array(buffer, 0, entries)
  const claims = new BigInt64Array(buffer, control.byteLength)
  Atomics.store(claims, 0, closed)
  return { control, claims, halves: new Int32Array(buffer, control.byteLength) }
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
  parts: 15,
  partUnits: 16,
  posted: 17,
  inCall: 64,
} as const

/** The lower half of the counter while no call can be claimed. */
export const closed = 0xffffffffn

/** A call that a thread may claim: the word for it, and what that word becomes when the call is claimed and when it is done. */
interface Claim {
  readonly at: number
  readonly word: bigint
  readonly claimed: bigint
  readonly done?: bigint
  readonly first: number
  readonly last: number
}

/** The lower half of a word. */
const lower = (word: bigint): number => Number(word & closed)

/**
 * The next call that a thread may claim; undefined if there is none now.
 *
 * @param counter the counter, read before the arguments
 */
function nextCall({ halves }: Shared, counter: bigint, read: (name: keyof typeof entry) => number): Claim | undefined {
  const [units, callUnits, parts] = [read('units'), read('callUnits'), read('parts')]
  if (parts === 0) {
    const next = lower(counter)
    if (next >= read('calls')) return undefined
    const first = next * callUnits
    return { at: 0, word: counter, claimed: counter + 1n, first, last: Math.min(first + callUnits, units) }
  }
  const partUnits = read('partUnits')
  let [at, half, begin, most] = [0, 0, 0, 0]
  for (let part = 1; part <= parts; part++) {
    const now = halves[2 * part] as number
    const first = (part - 1) * partUnits + (now >>> 1) * callUnits
    const left = Math.min(part * partUnits, units) - first
    if ((now & 1) !== 0 || left <= most) continue
    at = part
    half = now
    begin = first
    most = left
  }
  if (at === 0) return undefined
  // The counter of a job with parts stays at its first call, so the word has its upper half. Otherwise it cannot be claimed.
  const word = counter + BigInt(half)
  return { at, word, claimed: word + 1n, done: word + 2n, first: begin, last: begin + Math.min(callUnits, most) }
}

/**
 * Does one call of the job in `control`. Returns whether there was a call to try.
 *
 * @param trapped gets the error of a call that fails, before the job is marked as failed
 * @param prepare gets the number of the program and the least size of its memory before each call
 */
export function workOnce(
  shared: Shared,
  programs: ReadonlyMap<number, Phases>,
  thread: number,
  trapped: (error: unknown) => void,
  prepare?: (program: number, pages: number) => void,
): boolean {
  const { control, claims } = shared
  const read = (name: keyof typeof entry) => control[entry[name]] as number
  const counter = Atomics.load(claims, 0)
  if (lower(counter) === Number(closed) || thread > read('helpers')) return false
  const program = read('program')
  const phase = programs.get(program)?.[read('phase')]
  const call = phase && nextCall(shared, counter, read)
  if (!phase || !call) return false
  const block = read('block')
  const pages = read('memoryPages')
  const scratch = read('scratch') + thread * read('scratchBytes')
  Atomics.store(control, entry.inCall + thread, 1)
  if (Atomics.compareExchange(claims, call.at, call.word, call.claimed) === call.word) {
    try {
      prepare?.(program, pages)
      phase(block, scratch, call.first, call.last)
    } catch (error) {
      trapped(error)
      Atomics.store(control, entry.failed, 1)
    }
    // A word that was closed meanwhile stays closed.
    if (call.done !== undefined) Atomics.compareExchange(claims, call.at, call.claimed, call.done)
    Atomics.or(control, entry.joined, 1 << thread)
    Atomics.add(control, entry.finished, 1)
  }
  Atomics.store(control, entry.inCall + thread, 0)
  return true
}

/** Lets no thread claim another call of the job. Returns how many calls have been claimed. */
export function close({ control, claims }: Shared): number {
  const counted = lower(Atomics.exchange(claims, 0, closed))
  const parts = control[entry.parts] as number
  if (parts === 0) return Math.min(control[entry.calls] as number, counted)
  let claimed = 0
  for (let part = 1; part <= parts; part++) {
    const word = lower(Atomics.exchange(claims, part, closed))
    if (word !== Number(closed)) claimed += (word >>> 1) + (word & 1)
  }
  return claimed
}
