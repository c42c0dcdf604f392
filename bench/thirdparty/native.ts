/**
 * Native C as a contender, where there is a compiler: the same loops with vectors of a fixed width, and plain C. Each
 * contender is a process of its own that keeps the points; only its loop is timed, on its own clock.
 */

import { type ChildProcessWithoutNullStreams, execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Contender, Problem } from '../src/contender.ts'
import { type LoopName, loopOf, pointsOf } from './points.ts'
import { processor } from './processor.ts'

export interface NativeWidth {
  readonly name: string
  readonly source: 'vector.c' | 'plain.c'
  readonly flags: readonly string[]
  /** Whether it is compiled with OpenMP and uses all threads, for every ordered pair. */
  readonly threads?: boolean
}

/** The same operations at each width; fused multiply-adds only where it is said. */
export const widths = {
  plain: { name: 'C, plain', source: 'plain.c', flags: ['-march=native', '-ffast-math'] },
  sse: { name: 'C, 128 bits', source: 'vector.c', flags: ['-msse4.1', '-ffp-contract=off'] },
  avx2: { name: 'C, 256 bits', source: 'vector.c', flags: ['-mavx2', '-ffp-contract=off'] },
  fma: { name: 'C, 256 bits, FMA', source: 'vector.c', flags: ['-mavx2', '-mfma', '-ffp-contract=fast'] },
  threads: {
    name: 'C, 256 bits, FMA, threads',
    source: 'vector.c',
    flags: ['-mavx2', '-mfma', '-ffp-contract=fast', '-fopenmp'],
    threads: true,
  },
  avx512: { name: 'C, 512 bits, FMA', source: 'vector.c', flags: ['-mavx512f', '-mfma', '-ffp-contract=fast'] },
} as const satisfies Readonly<Record<string, NativeWidth>>

/** A compiler of this machine, and a folder for what it makes. */
export class Native {
  readonly #folder = mkdtempSync(join(tmpdir(), 'manybody-bench-'))
  readonly #programs = new Map<NativeWidth, Promise<string>>()
  readonly #compiler: string | undefined
  /** Of the compiler, as it calls itself. */
  readonly version: string | undefined

  /** @param compilers names to look for, in this order */
  constructor(compilers: readonly string[] = ['gcc', 'clang', 'cc']) {
    for (const compiler of compilers) {
      const { status, stdout } = spawnSync(compiler, ['--version'], { encoding: 'utf8' })
      if (status !== 0) continue
      this.#compiler = compiler
      this.version = stdout.split('\n')[0]?.trim() ?? compiler
      break
    }
  }

  /** Compiles meanwhile, so that nobody waits for it later. */
  contender(width: NativeWidth, once = false): Contender {
    this.#program(width).catch(() => {})
    const variant = once ? 'each pair once' : 'every ordered pair'
    return {
      name: `${width.name}, ${variant}`,
      rival: true,
      prepare: async (problem) => {
        const law = laws[loopOf(problem)]
        if (!law) throw new Error(`nobody wrote ${problem.name}, ${problem.task} in C`)
        const running = new Running(await this.#program(width), problem, law, once)
        const registers = 2 ** (await running.ask('l'))
        let results: Float64Array = new Float64Array(0)
        return {
          who: {
            name: width.name,
            rival: true,
            device: processor(),
            kind: 'cpu',
            precision: 'f32',
            variant: width.source === 'plain.c' ? variant : `${variant}, ${registers} x ${lanesOf(width)} lanes`,
            threads: width.threads ? availableParallelism() : 1,
          },
          accuracy: { accumulation: 'block', precision: 'f32' },
          ownClock: true,
          async run() {
            const compute = await running.ask('r')
            return { upload: 0, compute, readback: 0 }
          },
          async results() {
            results = await running.results(problem.targets * (law.vector ? 3 : 1))
            return { [law.result]: results }
          },
          dispose: () => running.end(),
        }
      },
    }
  }

  #program(width: NativeWidth): Promise<string> {
    const compiling = this.#programs.get(width) ?? this.#compile(width)
    this.#programs.set(width, compiling)
    return compiling
  }

  async #compile({ source, flags }: NativeWidth): Promise<string> {
    if (!this.#compiler) throw new Error('there is no C compiler: install gcc or clang')
    if (process.arch !== 'x64') throw new Error(`the C is written for x64, this processor is ${process.arch}`)
    const program = join(this.#folder, `program-${this.#programs.size}`)
    const file = fileURLToPath(new URL(`native/${source}`, import.meta.url))
    try {
      await promisify(execFile)(this.#compiler, ['-O3', ...flags, file, '-o', program, '-lm'])
    } catch (cause) {
      throw new Error(`${this.#compiler} ${flags.join(' ')} failed`, { cause })
    }
    return program
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const lanesOf = ({ name }: NativeWidth): number => Number(/\d+/.exec(name)) / 32

interface NativeLaw {
  /** Its number in laws.h. */
  readonly number: number
  readonly result: string
  readonly vector: boolean
  /** The arrays `weight` and `radius`, and the parameters, in the order of laws.h. */
  readonly weight: (attributes: Attributes) => Float32Array
  readonly radius?: string
  readonly parameters: readonly string[]
}

type Attributes = Readonly<Record<string, ArrayLike<number>>>

const attribute =
  (name: string) =>
  (attributes: Attributes): Float32Array =>
    Float32Array.from(attributes[name] ?? [])

const laws: Readonly<Partial<Record<LoopName, NativeLaw>>> = {
  gravity: {
    number: 0,
    result: 'acceleration',
    vector: true,
    weight: attribute('mass'),
    parameters: ['G', 'softening'],
  },
  coulomb: { number: 1, result: 'force', vector: true, weight: attribute('charge'), parameters: ['k'] },
  lennardJones: {
    number: 2,
    result: 'force',
    vector: true,
    weight: (attributes) => attribute('epsilon')(attributes).map(Math.sqrt),
    radius: 'sigma',
    parameters: ['cutoff', 'boxX', 'boxY', 'boxZ'],
  },
  gaussian: {
    number: 3,
    result: 'potential',
    vector: false,
    weight: attribute('weight'),
    parameters: ['height', 'width'],
  },
}

/** A program that has its points and waits for requests. */
class Running {
  readonly #process: ChildProcessWithoutNullStreams
  #waiting: { readonly bytes: number; resolve(answer: Buffer): void; reject(error: Error): void } | undefined
  #received: Buffer[] = []
  #said = ''
  #ended: Error | undefined

  constructor(program: string, problem: Problem, law: NativeLaw, once: boolean) {
    const { axes, attributes, count, parameters } = pointsOf(problem, 'f32')
    const numbers = law.parameters.map((name) => parameters[name] ?? Number.NaN)
    const args = [law.number, once ? 1 : 0, count, ...numbers].map(String)
    // Its threads sleep between calls, so that they take no time from the others.
    const threads = { OMP_NUM_THREADS: `${availableParallelism()}`, OMP_WAIT_POLICY: 'passive' }
    this.#process = spawn(program, args, { env: { ...process.env, ...threads } })
    this.#process.stdout.on('data', (bytes: Buffer) => this.#receive(bytes))
    this.#process.stderr.on('data', (bytes: Buffer) => {
      this.#said += bytes.toString()
    })
    this.#process.on('error', (error) => this.#fail(error))
    this.#process.on('close', (code) =>
      this.#fail(new Error(this.#said.trim() || `the program ended with code ${code}`)),
    )
    // A program that ended is told of by its exit, not by the pipe it left.
    this.#process.stdin.on('error', () => {})
    const radius = attribute(law.radius ?? '')(attributes)
    for (const array of [
      ...axes,
      law.weight(attributes),
      radius.length ? radius.map((s) => s / 2) : new Float32Array(count),
    ])
      this.#process.stdin.write(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  }

  /** The one number that a request is answered by. */
  async ask(request: 'l' | 'r'): Promise<number> {
    return (await this.#answer(request, 8)).readDoubleLE()
  }

  async results(length: number): Promise<Float64Array> {
    const bytes = await this.#answer('o', 8 * length)
    return Float64Array.from({ length }, (_, n) => bytes.readDoubleLE(8 * n))
  }

  end(): void {
    this.#process.stdin.end()
  }

  #answer(request: string, bytes: number): Promise<Buffer> {
    if (this.#ended) return Promise.reject(this.#ended)
    return new Promise((resolve, reject) => {
      this.#waiting = { bytes, resolve, reject }
      this.#process.stdin.write(request)
    })
  }

  #receive(bytes: Buffer): void {
    this.#received.push(bytes)
    const waiting = this.#waiting
    if (!waiting || this.#received.reduce((total, one) => total + one.length, 0) < waiting.bytes) return
    this.#waiting = undefined
    waiting.resolve(Buffer.concat(this.#received.splice(0)))
  }

  #fail(error: Error): void {
    this.#ended ??= error
    this.#waiting?.reject(this.#ended)
    this.#waiting = undefined
  }
}
