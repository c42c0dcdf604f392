/**
 * How threads share the work of one phase: calls are claimed one after the other from a counter, by the caller's thread
 * and by workers alike. Plain JavaScript, because a worker loads it as it stands.
 *
 * A claim is a 64-bit word, job number above, next call below. Whoever wants a call reads the word, then the arguments,
 * then exchanges the word for its successor: that succeeds only if the arguments still belong to the job.
 */

/** Entries of the control array, shared between threads. `mail` and `holding` are one entry per thread: messages posted to
 * it, and whether it is in a call. */
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
  mail: 16,
  holding: 64,
}

/** No call can be claimed. */
export const closed = 0xffffffffn

/** Does one call of the job in `control`, if there is one left; says whether it did. */
export function workOnce({ control, claims }, programs, thread) {
  const claim = Atomics.load(claims, 0)
  const next = Number(claim & closed)
  if (next >= control[entry.calls] || thread > control[entry.helpers]) return false
  const phase = programs.get(control[entry.program])?.[control[entry.phase]]
  if (!phase) return false
  const first = next * control[entry.callUnits]
  const last = Math.min(first + control[entry.callUnits], control[entry.units])
  const block = control[entry.block]
  const scratch = control[entry.scratch] + thread * control[entry.scratchBytes]
  Atomics.store(control, entry.holding + thread, 1)
  if (Atomics.compareExchange(claims, 0, claim, claim + 1n) !== claim) {
    Atomics.store(control, entry.holding + thread, 0)
    return true
  }
  try {
    phase(block, scratch, first, last)
  } catch {
    Atomics.store(control, entry.failed, 1)
  }
  Atomics.or(control, entry.joined, 1 << thread)
  Atomics.add(control, entry.finished, 1)
  Atomics.store(control, entry.holding + thread, 0)
  return true
}
