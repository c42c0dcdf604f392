/** The CUDA rivals: compiled with nvcc where there is one, run for one number of points at a time, and judged as we are. */

import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import laws from './cuda/laws.cuh'
import pairs from './cuda/pairs.cuh'
import rivals from './cuda/rivals.cu'

const sources = { 'laws.cuh': laws, 'pairs.cuh': pairs, 'rivals.cu': rivals }
const flags = ['-O3', '-use_fast_math', '-std=c++17', '-arch=native']

export interface Cuda {
  /** The compiler and its flags. */
  readonly compiler: string
  /** Why there is nothing to run. */
  readonly refused?: string
  /** Every kernel of a law at one size, as it is done. @throws Error if the program fails */
  run(law: string, n: number, signal: AbortSignal): AsyncIterable<CudaTiming>
  dispose(): void
}

/** What the program says of one kernel. */
interface CudaTiming {
  readonly kernel: string
  readonly microseconds: number
  /** Of 64 targets. */
  readonly results: readonly number[]
}

const run = promisify(execFile)

/**
 * @param nvcc the compiler; `none` for no CUDA
 * @param program what it would make, if there is one already
 */
export async function openCuda(nvcc = 'nvcc', program?: string): Promise<Cuda> {
  if (program !== undefined) return running(resolve(program), 'compiled before', () => {})
  if (nvcc === 'none') return absent('left out with --nvcc none')
  let version: string
  try {
    version = (await run(nvcc, ['--version'])).stdout.match(/release [\d.]+, V([\d.]+)/)?.[1] ?? 'unknown'
  } catch {
    return absent(`there is no CUDA compiler: "${nvcc}" cannot be run; install CUDA, or name it with --nvcc`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'manybody-cuda-'))
  const dispose = () => rmSync(folder, { recursive: true, force: true })
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text)
  try {
    await run(nvcc, [...flags, 'rivals.cu', '-o', 'rivals'], { cwd: folder })
  } catch (error) {
    dispose()
    const { stderr = '' } = error as { readonly stderr?: string }
    return absent(`nvcc ${version} failed: ${stderr.trim().split('\n').at(-1) || error}`)
  }
  return running(join(folder, 'rivals'), `nvcc ${version} ${flags.join(' ')}`, dispose)
}

const absent = (refused: string): Cuda => ({
  compiler: 'none',
  refused,
  async *run() {},
  dispose() {},
})

function running(program: string, compiler: string, dispose: () => void): Cuda {
  return {
    compiler,
    async *run(law, n, signal) {
      const child = spawn(program, [law, String(n)], { stdio: ['ignore', 'pipe', 'pipe'] })
      const stop = () => child.kill()
      signal.addEventListener('abort', stop)
      let said = ''
      child.stderr.on('data', (part) => {
        said += part
      })
      const ended = new Promise<number | null>((resolve, reject) => {
        child.on('error', reject)
        child.on('close', resolve)
      })
      ended.catch(() => {})
      try {
        for await (const line of createInterface(child.stdout)) yield timingOf(line)
        const code = await ended
        if (code !== 0 && !signal.aborted)
          throw new Error(said.trim().split('\n').at(-1) || `it ended with code ${code}`)
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    dispose,
  }
}

/** What is not finite is no JSON. */
function timingOf(line: string): CudaTiming {
  const timing = JSON.parse(line.replace(/-?\b(nan|inf)\b/g, 'null')) as CudaTiming
  return { ...timing, results: timing.results.map((value) => value ?? Number.NaN) }
}
