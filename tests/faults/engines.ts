// A process that opens a WebGPU engine on Dawn, runs it and disposes of it on each request. It answers with its threads and memory.
// `forked-engines.ts` starts it. On Linux.

import { readFile } from 'node:fs/promises'
import { accelerations, createEngine } from 'manybody'
import type { Levels } from './spies.ts'
import { law, pause, points } from './work.ts'

async function openOnce(): Promise<void> {
  await using engine = await createEngine({ backend: 'webgpu' })
  const { acceleration } = await engine.run(accelerations(law), points(200))
  if (!acceleration.every(Number.isFinite)) throw new Error('a result is not finite')
}

async function levels(): Promise<Levels> {
  // An object that one collection finalizes is freed by the next.
  for (let n = 0; n < 3; n++) {
    ;(globalThis as { gc?: () => void }).gc?.()
    await pause(20)
  }
  const status = await readFile('/proc/self/status', 'utf8')
  const number = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1])
  return { threads: number('Threads'), bytes: 1024 * number('VmRSS') }
}

process.on('message', () => {
  void openOnce()
    .then(levels)
    .then(
      (found) => process.send?.(found),
      (error) => process.send?.({ error: String(error) }),
    )
})
