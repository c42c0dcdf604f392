/**
 * The first call of a process, and `createEngine()` before it. Each sample is a new process, because a driver keeps the shaders that a
 * process compiled. It also keeps them on disk for other processes, unless it is told not to.
 */

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { webgpu } from '@manybody/backend-webgpu'
import { createEngine, type Particles, type RunReport } from '@manybody/core'
import type { Contender, Results } from '../../src/contender.ts'
import { whoRan } from '../../src/contenders/who.ts'
import { type ProblemSpec, problemOf } from '../../src/problem.ts'

/** The output of the process; times in milliseconds. */
interface Said {
  readonly opened: number
  readonly called: number
  readonly report: Pick<RunReport, 'device' | 'kind' | 'precision' | 'variant' | 'accumulation'>
}

/** The time that each contender shows. */
export const firsts = { 'createEngine()': 'opened', 'first call': 'called' } as const

/** Disables the disk caches of NVIDIA's drivers and of Mesa. */
const uncached = { __GL_SHADER_DISK_CACHE: '0', MESA_SHADER_CACHE_DISABLE: 'true' }

/** The work of the process: it prints its times, and leaves the accelerations in a file. */
export async function timeFirstCall(spec: ProblemSpec, answers: string): Promise<void> {
  const { workload, particles } = problemOf(spec)
  const start = performance.now()
  const engine = await createEngine({ backends: [webgpu()] })
  const opened = performance.now()
  const done = await engine.run(workload, particles as Particles)
  const ended = performance.now()
  const { device, kind, precision, variant, accumulation } = done.report
  const said: Said = {
    opened: opened - start,
    called: ended - opened,
    report: { device, kind, precision, variant, accumulation },
  }
  const { acceleration } = done as unknown as { readonly acceleration: Float32Array }
  writeFileSync(answers, new Uint8Array(acceleration.buffer))
  console.log(JSON.stringify(said))
}

/**
 * @param cold whether the driver has no shaders on disk
 * @param dawn path of `dawn.node`, if it does not come from the package
 */
export function firstCallContender(
  which: keyof typeof firsts,
  cold: boolean,
  spec: ProblemSpec,
  dawn: string | undefined,
): Contender {
  const name = `webgpu, ${which}, ${cold ? 'cold' : 'warm'}`
  return {
    name,
    about: { name },
    async prepare() {
      const folder = mkdtempSync(join(tmpdir(), 'manybody-first-call-'))
      const answers = join(folder, 'answers')
      const call = () => inNewProcess(spec, answers, cold, dawn)
      let latest: Said | undefined
      const report = () => {
        if (!latest) throw new Error('expected a run before its report')
        return latest.report
      }
      return {
        get who() {
          return whoRan(name, report())
        },
        get accuracy() {
          return report()
        },
        // The first run also fills the driver's cache on disk.
        async run() {
          latest = await call()
          return undefined
        },
        async sample() {
          latest = await call()
          return { call: latest[firsts[which]], parts: undefined }
        },
        async results(): Promise<Results> {
          const { buffer, byteOffset, byteLength } = readFileSync(answers)
          return { acceleration: new Float32Array(buffer, byteOffset, byteLength / 4) }
        },
        dispose: () => rmSync(folder, { recursive: true, force: true }),
      }
    },
  }
}

async function inNewProcess(
  spec: ProblemSpec,
  answers: string,
  cold: boolean,
  dawn: string | undefined,
): Promise<Said> {
  const args = ['first-call', JSON.stringify(spec), answers, ...(dawn === undefined ? [] : ['--dawn', dawn])]
  const env = { ...process.env, ...(cold ? uncached : {}) }
  const [script = ''] = process.argv.slice(1)
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env })
  return JSON.parse(stdout) as Said
}
