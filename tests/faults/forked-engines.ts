// The process of `engines.ts`, started when it is first needed, with the software GPU and a small allocator.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { softwareGpuEnvironment } from '../../tools/software-gpu.ts'

/** By default, glibc keeps freed memory for each thread, up to the largest amount that was ever in use. */
const smallCaches = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

export class ForkedEngines {
  #child: Promise<ChildProcess> | undefined

  /** Opens one more engine and disposes of it. Returns the threads and memory of the process after that. */
  async openOne(): Promise<unknown> {
    this.#child ??= started()
    const child = await this.#child
    return new Promise((resolve, reject) => {
      const end = (code: unknown) => reject(new Error(`the process of the engines ended with ${code}`))
      child.once('exit', end)
      child.once('message', (answer: { readonly error?: string }) => {
        child.off('exit', end)
        if (answer.error === undefined) resolve(answer)
        else reject(new Error(answer.error))
      })
      child.send('open')
    })
  }

  end(): void {
    void this.#child?.then((child) => child.kill())
  }
}

async function started(): Promise<ChildProcess> {
  const env = { ...process.env, ...(await softwareGpuEnvironment()), ...smallCaches }
  const program = fileURLToPath(new URL('engines.ts', import.meta.url))
  return fork(program, { env, execArgv: ['--expose-gc', '--import', 'tsx'] })
}
