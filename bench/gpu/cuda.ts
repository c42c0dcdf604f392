/**
 * The CUDA rivals, compiled with nvcc if it is installed. Each kernel is a contender. One process computes a problem with all
 * of them: it reads the points from a file, and returns samples on the device's clock, and results, on request.
 */

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { bind } from '@manybody/core/judge'
import type { Contender, Entry, Problem } from '../src/contender.ts'
import { lawNames } from '../src/laws.ts'
import { nodeEnvironment } from '../src/node/environment.ts'
import type { Environment } from '../src/record.ts'
import { pointsOf, resultsOf } from '../thirdparty/points.ts'
import { isLine, Program } from '../thirdparty/program.ts'
import cells from './cuda/cells.cuh'
import features from './cuda/features.cuh'
import laws from './cuda/laws.cuh'
import near from './cuda/near.cuh'
import once from './cuda/once.cuh'
import pairs from './cuda/pairs.cuh'
import rivals from './cuda/rivals.cu'
import shapes from './cuda/shapes.cuh'
import timing from './cuda/timing.cuh'

const sources = {
  'cells.cuh': cells,
  'features.cuh': features,
  'laws.cuh': laws,
  'near.cuh': near,
  'once.cuh': once,
  'pairs.cuh': pairs,
  'rivals.cu': rivals,
  'shapes.cuh': shapes,
  'timing.cuh': timing,
}
const flags = ['-O3', '-use_fast_math', '-std=c++17', '-arch=native']

/** The contender that copies from and to the host, as our calls do. */
export const cudaCall = 'CUDA, whole call'

export interface Cuda {
  /** The version of the compiler, with its flags. */
  readonly version?: string
  /** If nothing can be run, a contender says why. */
  open(problem: Problem): Promise<CudaProblem>
  dispose(): void
}

interface CudaProblem {
  readonly contenders: readonly Contender[]
  dispose(): void
}

const execute = promisify(execFile)

/**
 * @param nvcc the compiler; `none` to leave out CUDA
 * @param program the compiled program, if there is one already
 */
export async function openCuda(nvcc = 'nvcc', program?: string): Promise<Cuda> {
  const folder = mkdtempSync(join(tmpdir(), 'manybody-cuda-'))
  const dispose = () => rmSync(folder, { recursive: true, force: true })
  const made = (path: string, version: string): Cuda => ({
    version,
    open: (problem) => openProblem(path, folder, problem).catch(refused),
    dispose,
  })
  const absent = (reason: string): Cuda => ({ open: async () => refused(new Error(reason)), dispose })
  if (program !== undefined) return made(resolve(program), 'compiled before')
  if (nvcc === 'none') return absent('left out with --nvcc none')
  let version: string
  try {
    version = (await execute(nvcc, ['--version'])).stdout.match(/release [\d.]+, V([\d.]+)/)?.[1] ?? 'unknown'
  } catch {
    return absent(`there is no CUDA compiler: "${nvcc}" cannot be run; install CUDA, or name it with --nvcc`)
  }
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text)
  try {
    await execute(nvcc, [...flags, 'rivals.cu', '-o', 'rivals'], { cwd: folder })
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string }
    return absent(`nvcc ${version} failed: ${stderr.trim().split('\n').at(-1) || error}`)
  }
  return made(join(folder, 'rivals'), `${version} ${flags.join(' ')}`)
}

/** Node, with the version of CUDA. @param webgpu the version of that package */
export function cudaEnvironment(webgpu: string, { version }: Cuda): Environment {
  const environment = nodeEnvironment(webgpu)
  return { ...environment, versions: { ...environment.versions, ...(version && { nvcc: version }) } }
}

/** A contender that refuses every problem with the reason why CUDA is missing. */
const refused = (reason: unknown): CudaProblem => ({
  contenders: [{ name: 'CUDA', rival: true, prepare: () => Promise.reject(reason) }],
  dispose() {},
})

/** A problem as the program reads it. */
interface Sent {
  readonly law: string
  readonly numbers: Float32Array
  /** Numbers that a target gets. */
  readonly answer: number
  readonly box?: number | undefined
  readonly cutoff?: number | undefined
}

function placesOf(problem: Problem): Sent {
  const { count, position, attributes, parameters } = pointsOf(problem, 'f32')
  const { mass, charge, sigma, epsilon } = attributes
  const numbers = new Float32Array(6 * count)
  for (let i = 0; i < count; i++) {
    for (let axis = 0; axis < 3; axis++) numbers[4 * i + axis] = position[3 * i + axis] ?? 0
    numbers[4 * i + 3] = (mass ?? charge)?.[i] ?? 0
    numbers.set([sigma?.[i] ?? 0, epsilon?.[i] ?? 0], 4 * count + 2 * i)
  }
  const { name, task } = problem
  const answer = (Object.values(resultsOf(problem, 'f32'))[0]?.length ?? 0) / count
  return {
    ...{ law: lawNames.includes(name) ? name : task, numbers, answer },
    ...{ box: parameters.boxX, cutoff: parameters.cutoff },
  }
}

function featuresOf({ task, workload, particles }: Problem): Sent {
  const { x, b } = bind(workload, particles).bindings.targets.arrays as Readonly<Record<'x' | 'b', Float32Array>>
  const weightsAt = 4 * Math.ceil(x.length / 4)
  const numbers = new Float32Array(weightsAt + 2 * Math.ceil(b.length / 2))
  numbers.set(x)
  numbers.set(b, weightsAt)
  return { law: task, numbers, answer: 1 }
}

/** Distances of targets to the sources that were found, which have no distance in the file. */
function distancesTo({ particles }: Problem, sources: Float32Array, each: number): Float32Array {
  const { position } = particles as { readonly position: Float32Array }
  const coordinate = (point: number, axis: number) => position[3 * point + axis] ?? Number.NaN
  return sources.map((source, n) =>
    Math.hypot(...[0, 1, 2].map((axis) => coordinate(source, axis) - coordinate(Math.floor(n / each), axis))),
  )
}

async function openProblem(program: string, folder: string, problem: Problem): Promise<CudaProblem> {
  const count = problem.targets
  const { law, numbers, answer, box = 0, cutoff = 0 } = problem.features ? featuresOf(problem) : placesOf(problem)
  const [points, answers] = [join(folder, 'points'), join(folder, 'answers')]
  writeFileSync(points, new Uint8Array(numbers.buffer))
  const served = new Program(program, [law, count, points, answers, box, cutoff].map(String))
  const ask = async (question: string) => (await served.ask(question, isLine)).toString().trim()
  // It begins with an answer.
  const { device, kernels } = JSON.parse(await ask('')) as { device: string; kernels: readonly string[] }
  const [result = ''] = problem.workload.loop === 'pair' ? problem.workload.results : []
  /** @param asked the program's commands for timing and for writing results */
  const contenderOf = (
    about: { readonly name: string; readonly variant?: string },
    variantOf: () => Promise<string>,
    asked: { readonly time: string; readonly results: string },
    more: Pick<Entry, 'resident'> = {},
  ): Contender => ({
    name: [about.name, about.variant].filter(Boolean).join(' '),
    rival: true,
    about,
    async prepare() {
      /** Milliseconds of a run: the mean over enough runs to fill `span`. */
      const timed = async (span: number) => Number(await ask(`${asked.time} ${span}\n`))
      return {
        who: {
          name: about?.name ?? 'CUDA',
          rival: true,
          device,
          kind: 'hardware',
          precision: 'f32',
          variant: await variantOf(),
        },
        accuracy: { accumulation: 'running', precision: 'f32' },
        ownClock: true,
        ...more,
        async run() {
          await timed(0)
          return undefined
        },
        async sample(span) {
          const call = await timed(span)
          return { call, parts: { upload: 0, compute: call, readback: 0 } }
        },
        async results() {
          await ask(`${asked.results}\n`)
          const { buffer, byteOffset } = readFileSync(answers)
          const numbers = new Float32Array(buffer, byteOffset, answer * count)
          return { [result]: numbers, ...(result === 'index' && { distance: distancesTo(problem, numbers, answer) }) }
        },
        dispose() {},
      }
    },
  })
  const asked = (index: number) => ({ time: `time ${index}`, results: `results ${index}` })
  const contenders = [
    ...kernels.map((kernel, n) =>
      contenderOf({ name: 'CUDA', variant: kernel }, async () => kernel, asked(n), { resident: true }),
    ),
    contenderOf({ name: cudaCall }, () => ask('fastest\n'), { time: 'call', results: 'answer' }),
  ]
  return { contenders, dispose: () => served.end() }
}
