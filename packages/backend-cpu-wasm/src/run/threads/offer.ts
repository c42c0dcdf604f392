/**
 * Offers a job to all threads of a pool over shared memory. They claim its calls one by one, as `claims.ts` says.
 *
 * @module
 */
import { closed, entry } from './claims.ts'
import type { Job } from './job.ts'
import type { SharedPool } from './pool.ts'

/** Calls of a shared job per thread: enough that no thread waits long for the last call of another. */
const shares = 16
/** The fewest milliseconds of the only call of a thread, and of one among several: where many claim calls, a claim takes microseconds. */
const [shortestOnly, shortest] = [0.002, 0.01]

/** Wakes the workers for a job, and returns the number of its calls. */
export function offer(pool: SharedPool, job: Job, threads: number): number {
  const { control, claims } = pool.shared
  const wanted = Math.min(shares * threads, Math.max(Math.min(threads, job.cost / shortestOnly), job.cost / shortest))
  const callUnits = Math.max(1, Math.min(job.callUnits, Math.ceil(job.units / wanted)))
  const { program, phase, block, scratch, scratchBytes, units } = job
  const { count: parts, units: partUnits } = job.parts ?? { count: 0, units: 0 }
  const calls = parts > 0 ? callsOfParts(units, partUnits, callUnits) : Math.ceil(units / callUnits)
  // Line by line: a loop over the names takes as long as a small job.
  const write = (at: number, word: number) => Atomics.store(control, at, word)
  write(entry.helpers, threads - 1)
  write(entry.program, program.id)
  write(entry.phase, phase)
  write(entry.block, block)
  write(entry.scratch, scratch)
  write(entry.scratchBytes, scratchBytes)
  write(entry.units, units)
  write(entry.callUnits, callUnits)
  write(entry.calls, calls)
  write(entry.parts, parts)
  write(entry.partUnits, partUnits)
  write(entry.memoryPages, pool.memoryPages(program.id))
  write(entry.finished, 0)
  write(entry.failed, 0)
  write(entry.joined, 0)
  const generation = BigInt(Atomics.load(control, entry.generation)) & closed
  const first = BigInt.asIntN(64, generation << 32n)
  for (let word = parts; word >= 0; word--) Atomics.store(claims, word, first)
  pool.forgetLostCalls()
  pool.trap = undefined
  pool.wake()
  return calls
}

/** Number of calls of all parts: none reaches into the next part. */
function callsOfParts(units: number, partUnits: number, callUnits: number): number {
  const whole = Math.floor(units / partUnits)
  return whole * Math.ceil(partUnits / callUnits) + Math.ceil((units - whole * partUnits) / callUnits)
}
