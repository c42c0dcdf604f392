// A NATS server, workers in separate processes, and a problem of the main job, all on this machine: a way to try a cluster before you have
// several machines.

import { type ChildProcess, spawn } from 'node:child_process'
import { cluster } from '@manybody/cluster'
import { createEngine } from 'manybody'
import { plummerEnergy } from '../../examples/main-job/plummer-sphere.ts'
import { withProgress } from '../../examples/main-job/progress.ts'
import { root } from '../../tools/pnpm.mjs'
import { type NatsServer, startNatsServer } from './nats-server.ts'

export interface DemoOptions {
  readonly program: string
  readonly workers: number
  readonly stars: number
}

/** Returns the exit status. */
export async function demo({ program, workers: count, stars }: DemoOptions): Promise<number> {
  const server = await startNatsServer(program)
  const workers: ChildProcess[] = []
  try {
    await Promise.all(Array.from({ length: count }, () => startWorker(server, workers)))
    // On one machine, the device at home would be faster, so everything is spread.
    const engine = await createEngine({ backends: [cluster({ servers: server.url, always: true })] })
    console.log(String(engine.selection))
    const result = await withProgress('Plummer sphere', (bar) => plummerEnergy(engine, stars, bar))
    const difference = (result.energy - result.expected) / result.standardError
    console.log(`energy of ${stars} stars: ${result.energy.toFixed(6)}, closed form ${result.expected.toFixed(6)},`)
    console.log(`a difference of ${difference.toFixed(2)} standard errors of such a sample`)
    const { variant, spread, interactionsPerSecond } = result.report
    const { max, bound, ok } = result.verification
    console.log(`\n${variant}: ${(interactionsPerSecond / 1e9).toFixed(2)} G interactions/s`)
    if (spread)
      console.log(
        `${spread.blocks} blocks, ${spread.repeated} given twice; ${spread.sentBytes} bytes sent; each worker waited ${spread.waiting.toFixed(0)} ms`,
      )
    console.log(`error ${max.toExponential(1)}, bound ${bound.toExponential(1)}: ${ok ? 'ok' : 'NOT OK'}`)
    engine.dispose()
    return ok ? 0 : 1
  } finally {
    for (const worker of workers) worker.kill()
    await server.stop()
  }
}

/** Resolves when the worker waits for work. */
function startWorker(server: NatsServer, workers: ChildProcess[]): Promise<void> {
  const args = ['--import', 'tsx', 'packages/cluster/src/cli.ts', 'worker', '--servers', server.url, '--threads', '1']
  const child = spawn(process.execPath, [...args, '--backend', 'cpu-wasm'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  workers.push(child)
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => {
      process.stdout.write(text)
      resolve()
    })
    child.once('exit', (code) => reject(new Error(`a worker ended with code ${code}`)))
  })
}
