/**
 * Native C as a contender, if there is a compiler: the same loops with vectors of a fixed width. Each
 * contender is a separate process that keeps the points; only its loop is timed, on its own clock.
 */

import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Precision } from '@manybody/core'
import type { Contender } from '../src/contender.ts'
import { nativeLoopOf } from './native-loops.ts'
import { pointsOf } from './points.ts'
import { rivalHere } from './processor.ts'
import { ServingProcess } from './serving-process.ts'

export interface NativeWidth {
  readonly name: string
  readonly flags: readonly string[]
  /** Whether it is compiled with OpenMP and uses all threads, for every ordered pair. */
  readonly threads?: boolean
}

interface NativeStyle {
  /** Whether it visits each pair once instead of every ordered pair. */
  readonly once?: boolean
  readonly precision?: Precision
}

/** All widths do the same operations. Only the entries that say so use fused multiply-adds. */
export const widths = {
  sse: { name: 'C, 128 bits', flags: ['-msse4.1', '-ffp-contract=off'] },
  avx2: { name: 'C, 256 bits', flags: ['-mavx2', '-ffp-contract=off'] },
  fma: { name: 'C, 256 bits, FMA', flags: ['-mavx2', '-mfma', '-ffp-contract=fast'] },
  threads: {
    name: 'C, 256 bits, FMA, threads',
    flags: ['-mavx2', '-mfma', '-ffp-contract=fast', '-fopenmp'],
    threads: true,
  },
  avx512: { name: 'C, 512 bits, FMA', flags: ['-mavx512f', '-mfma', '-ffp-contract=fast'] },
} as const satisfies Readonly<Record<string, NativeWidth>>

/** A compiler of this machine, and a folder for its output. */
export class Native {
  readonly #folder = mkdtempSync(join(tmpdir(), 'manybody-bench-'))
  readonly #programs = new Map<string, Promise<string>>()
  readonly #compiler: string | undefined
  /** The version that the compiler reports. */
  readonly version: string | undefined

  /**
   * @param compilers names to look for, in this order
   * @param optimization how much the compiler optimizes; more takes longer
   */
  constructor(
    compilers: readonly string[] = ['gcc', 'clang', 'cc'],
    readonly optimization: '-O0' | '-O3' = '-O3',
  ) {
    for (const compiler of compilers) {
      const { status, stdout } = spawnSync(compiler, ['--version'], { encoding: 'utf8' })
      if (status !== 0) continue
      this.#compiler = compiler
      this.version = stdout.split('\n')[0]?.trim() ?? compiler
      break
    }
  }

  /** @throws Error in `prepare` if there is no such loop, or it cannot be compiled */
  contender(width: NativeWidth, { once = false, precision = 'f32' }: NativeStyle = {}): Contender {
    const variant = once ? 'each pair once' : 'every ordered pair'
    return {
      name: `${width.name}, ${precision}, ${variant}`,
      rival: true,
      about: { name: width.name, precision, variant },
      prepare: async (problem) => {
        const loop = nativeLoopOf(problem)
        if (loop.task && once) throw new Error(`nobody wrote ${problem.task} in this style of C`)
        const source = loop.task ? 'tasks.c' : 'vector.c'
        const program = await this.#program(source, [...width.flags, ...(precision === 'f64' ? ['-DDOUBLE'] : [])])
        const points = pointsOf(problem, precision)
        const args = [loop.number, once ? 1 : 0, points.count, ...loop.parameters(points)].map(String)
        const running = new ServingProcess(program, args, [...points.axes, ...loop.attributes(points)], {
          // Its threads sleep between calls, so that they take no time from other contenders.
          OMP_NUM_THREADS: `${availableParallelism()}`,
          OMP_WAIT_POLICY: 'passive',
        })
        const registers = 2 ** ((await running.numbers('l', 1))[0] as number)
        const shape = `${registers} x ${lanesOf(width, precision)} lanes`
        return {
          who: rivalHere({
            name: width.name,
            precision,
            variant: `${variant}, ${shape}`,
            threads: width.threads ? availableParallelism() : 1,
          }),
          accuracy: { accumulation: 'block', precision },
          ownClock: true,
          async run() {
            return { upload: 0, compute: await running.time(), readback: 0 }
          },
          async results() {
            const found: Record<string, Float64Array> = {}
            for (const { name, request, perTarget } of loop.results(problem))
              found[name] = await running.numbers(request, problem.targets * perTarget)
            return found
          },
          dispose: () => running.end(),
        }
      },
    }
  }

  #program(source: string, flags: readonly string[]): Promise<string> {
    const key = [source, ...flags].join(' ')
    const compiling = this.#programs.get(key) ?? this.#compile(source, flags)
    this.#programs.set(key, compiling)
    return compiling
  }

  async #compile(source: string, flags: readonly string[]): Promise<string> {
    if (!this.#compiler) throw new Error('there is no C compiler: install gcc or clang')
    if (process.arch !== 'x64') throw new Error(`the C is written for x64, this processor is ${process.arch}`)
    const program = join(this.#folder, `program-${this.#programs.size}`)
    const file = fileURLToPath(new URL(`native/${source}`, import.meta.url))
    try {
      await promisify(execFile)(this.#compiler, [this.optimization, ...flags, file, '-o', program, '-lm'])
    } catch (cause) {
      throw new Error(`${this.#compiler} ${flags.join(' ')} failed`, { cause })
    }
    return program
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const lanesOf = ({ name }: NativeWidth, precision: Precision): number =>
  Number(/\d+/.exec(name)) / (precision === 'f64' ? 64 : 32)
