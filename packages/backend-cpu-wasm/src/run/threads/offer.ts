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
/** The fewest milliseconds of a call: where many threads claim calls, a claim takes some microseconds. */
const shortest = 0.01

/** Wakes the workers for a job, and returns the number of its calls. */
export function offer(pool: SharedPool, job: Job, threads: number): number {
  const { control, claims } = pool.shared
  const wanted = Math.min(shares * threads, job.cost / shortest)
  const callUnits = Math.max(1, Math.min(job.callUnits, Math.ceil(job.units / wanted)))
  const { program, phase, block, scratch, scratchBytes, units } = job
  const { count: parts, units: partUnits } = job.parts ?? { count: 0, units: 0 }
  const calls = parts > 0 ? callsOfParts(units, partUnits, callUnits) : Math.ceil(units / callUnits)
  const words = {
    ...{ helpers: threads - 1, program: program.id, phase, block, scratch, scratchBytes, units, callUnits, calls },
    ...{ parts, partUnits },
    ...{ memoryPages: pool.memoryPages(program.id), finished: 0, failed: 0, joined: 0 },
  }
  for (const [name, word] of Object.entries(words)) Atomics.store(control, entry[name as keyof typeof words], word)
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
