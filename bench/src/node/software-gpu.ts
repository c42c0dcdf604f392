/**
 * Makes WebGPU in Node find a device: the graphics driver of this machine or, if it has none, the software GPU of the tests. That GPU's
 * loader must be set when a process starts, so the benchmark then runs in a child process.
 */

import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { softwareGpuEnvironment } from '../../../tools/software-gpu.ts'

const probe = `
const { create } = await import('webgpu')
process.exit((await create([]).requestAdapter()) ? 0 : 1)`

/** Set in a child process that has the software GPU, so that it starts no further child. */
const mark = 'MANYBODY_BENCH_SOFTWARE_GPU'

/** Variables that give a new process the software GPU; undefined if there is a GPU, or if that driver cannot run. */
export async function gpuEnvironment(): Promise<Readonly<Record<string, string>> | undefined> {
  // On other systems the operating system has a driver, or there is none.
  if (process.platform !== 'linux' || process.arch !== 'x64' || hasAdapter()) return undefined
  return { ...(await softwareGpuEnvironment()) }
}

/** Runs this process again with the software GPU if there is no other; returns its exit code, or undefined. */
export async function runWithSoftwareGpu(): Promise<number | undefined> {
  if (process.env[mark] !== undefined) return undefined
  const software = await gpuEnvironment()
  if (!software) return undefined
  const env = { ...process.env, ...software, [mark]: '1' }
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], { env, stdio: 'inherit' })
  // Ctrl-C reaches the child as well, which ends in its own way.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)))
  })
}

function hasAdapter(): boolean {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  return spawnSync(process.execPath, ['--input-type=module', '--eval', probe], { cwd, stdio: 'ignore' }).status === 0
}
