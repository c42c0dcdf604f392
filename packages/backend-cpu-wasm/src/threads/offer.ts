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

/** Wakes the workers for a job, and returns the number of its calls. */
export function offer(pool: SharedPool, job: Job, threads: number): number {
  const { control, claims } = pool.shared
  const callUnits = Math.max(1, Math.min(job.callUnits, Math.ceil(job.units / (shares * threads))))
  const calls = Math.ceil(job.units / callUnits)
  control[entry.helpers] = threads - 1
  control[entry.program] = job.program.id
  control[entry.phase] = job.phase
  control[entry.block] = job.block
  control[entry.scratch] = job.scratch
  control[entry.scratchBytes] = job.scratchBytes
  control[entry.units] = job.units
  control[entry.callUnits] = callUnits
  control[entry.calls] = calls
  control[entry.memoryPages] = pool.memoryPages(job.program.id)
  for (const name of ['finished', 'failed', 'joined'] as const) Atomics.store(control, entry[name], 0)
  const generation = BigInt(Atomics.load(control, entry.generation)) & closed
  Atomics.store(claims, 0, BigInt.asIntN(64, generation << 32n))
  pool.forgetLostCalls()
  pool.trap = undefined
  pool.wake()
  return calls
}
