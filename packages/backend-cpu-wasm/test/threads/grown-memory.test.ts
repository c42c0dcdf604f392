// Workers see at once that a shared memory has grown, although V8 tells them late or never.

import { expect, it, vi } from 'vitest'
import type { Phases } from '../../src/run/threads/claims.ts'
import { SharedPool } from '../../src/run/threads/pool.ts'
import { PoolExecutor } from '../../src/run/threads/pool-executor.ts'

const section = (id: number, ...bytes: readonly number[]) => [id, bytes.length, ...bytes]
const name = (text: string) => [text.length, ...new TextEncoder().encode(text)]
/** A module with one function. It sets 64 bytes at `block` to 0 by `memory.fill`, which checks the size of the memory that V8 knows. */
const module = new WebAssembly.Module(
  Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 0),
    ...section(2, 1, ...name('env'), ...name('memory'), 2, 3, 1, 0x80, 0x20),
    ...[...section(3, 1, 0), ...section(7, 1, ...name('fill'), 0, 0)],
    ...section(10, 1, 12, 0, 0x20, 0, 0x41, 0, 0x41, 0xc0, 0, 0xfc, 0x0b, 0, 0x0b),
  ]),
)

/** The errors of workers whose memories grow before every job, or while a message brings them the memory. */
async function failures(memories: number, growths: number): Promise<readonly string[]> {
  const pool = new SharedPool()
  pool.grow(1)
  await vi.waitUntil(() => pool.alive.length > 0, 10_000)
  const executor = new PoolExecutor(2, 0, pool)
  // The caller's thread does nothing, so that the worker gets calls.
  const idle = () => {
    for (const end = performance.now() + 0.02; performance.now() < end; );
  }
  const failed: string[] = []
  for (let m = 0; m < memories; m++) {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 4096, shared: true })
    const phases: Phases = [idle]
    const program = { id: pool.add({ module, over: { memory } }, phases), phases }
    for (let n = 0; n < growths; n++) {
      const block = memory.grow(1) * 65536
      const job = { program, phase: 0, block, scratch: 0, scratchBytes: 0, units: 4, callUnits: 1, cost: 1 }
      await executor.run([job], 1)?.catch((error) => failed.push(String(error)))
    }
    pool.drop(program.id)
  }
  pool.end()
  return failed
}

it('workers do not trap beyond the old end of a memory that has just grown', async () => {
  expect(await failures(40, 150)).toEqual([])
})
