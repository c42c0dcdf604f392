/**
 * A cache of the programs prepared on one device. A program is disposed of once it has left the cache, and its last run and its last
 * simulation have ended.
 *
 * @module
 */

import type { Device, Plan, Program } from '../contract/backend.ts'
import { finite, named, type OptionCheck, onlyNamed, text } from '../ground/checks.ts'
import type { Shape, Workload } from '../problem/workloads/workload.ts'
import type { HeldProgram } from '../simulation/stepping/recovery.ts'
import { programKey } from './program-key.ts'
import { requireSupport } from './require-support.ts'

/** A program in the cache, or one that has left it. */
export class Kept {
  readonly program: Promise<Program>
  #readying: Promise<Program> | undefined
  #running = 0
  /** The program, once it has all that runs need. */
  ready: Program | undefined
  /** Whether it has left the cache. */
  left = false
  /** The turn in which a run or a simulation began with it. */
  turn = 0

  constructor(program: Promise<Program>) {
    this.program = program
  }

  /** The program with all that runs need. */
  forRuns(): Promise<Program> {
    this.#readying ??= this.program.then(async (program) => {
      await program.ready?.()
      this.ready = program
      return program
    })
    return this.#readying
  }

  /** Whether a run or a simulation has it. */
  get busy(): boolean {
    return this.#running > 0
  }

  /** Keeps the program until as many calls of `end`. */
  begin(): void {
    this.#running++
    this.turn = ++turns
  }

  end(): void {
    this.#running--
    this.#dispose()
  }

  leave(): void {
    this.left = true
    this.#dispose()
  }

  #dispose(): void {
    // The caller that requested the program got the error of a failed compilation.
    if (this.left && this.#running === 0)
      this.program.then(
        (it) => it.dispose(),
        () => {},
      )
  }
}

let turns = 0

const planChecks: Readonly<Record<string, OptionCheck>> = {
  variant: text,
  sizes: (sizes, name) => {
    named(sizes, name)
    for (const [size, n] of Object.entries(sizes as object)) finite(n, `${name}.${size}`)
  },
}

/** The most programs that nobody uses now; the least recently used one leaves first. */
const most = 128

export class Programs {
  readonly #kept = new Map<string, Kept>()

  constructor(readonly device: Device) {}

  /**
   * Works with the program for a workload, from the cache if it is there.
   *
   * @param work gets the program, the milliseconds that preparing it took, and its place in the cache
   */
  async using<T>(
    workload: Workload,
    shape: Shape,
    plan: Plan | undefined,
    work: (program: Program, preparing: number, kept: Kept) => Promise<T>,
  ): Promise<T> {
    if (plan !== undefined) onlyNamed(plan, 'name of a plan', ['variant', 'sizes'], planChecks)
    const start = performance.now()
    const key = programKey(workload, shape, plan)
    const kept = this.#begun(key, workload, shape, plan)
    try {
      const program = kept.ready ?? (await this.#made(key, kept, kept.forRuns()))
      return await work(program, performance.now() - start, kept)
    } finally {
      this.#end(kept)
    }
  }

  /** Keeps the program for a workload until `end`. It has all that sequences need. */
  async hold(workload: Workload, shape: Shape): Promise<HeldProgram> {
    const key = programKey(workload, shape)
    const kept = this.#begun(key, workload, shape)
    const end = () => this.#end(kept)
    const drop = () => {
      this.#leave(key, kept)
      end()
    }
    try {
      return { program: await this.#made(key, kept, kept.program), end, drop }
    } catch (error) {
      end()
      throw error
    }
  }

  /** A program that is being made. If that fails, the next caller tries again. */
  async #made(key: string, kept: Kept, program: Promise<Program>): Promise<Program> {
    try {
      return await program
    } catch (error) {
      this.#leave(key, kept)
      throw error
    }
  }

  /** Removes a program from the cache, unless another has taken its place. */
  #leave(key: string, kept: Kept): void {
    if (this.#kept.get(key) === kept) this.forget(key)
  }

  #begun(key: string, workload: Workload, shape: Shape, plan?: Plan): Kept {
    const kept = this.#kept.get(key) ?? this.#added(key, this.#prepare(workload, shape, plan))
    kept.begin()
    return kept
  }

  #added(key: string, program: Promise<Program>): Kept {
    const kept = new Kept(program)
    this.#kept.set(key, kept)
    return kept
  }

  /** Ends a use of a program. If too many programs are idle then, the one used longest ago leaves. */
  #end(kept: Kept): void {
    kept.end()
    if (this.#kept.size <= most) return
    const idle = [...this.#kept].filter(([, { busy }]) => !busy)
    if (idle.length > most) this.forget(oldestOf(idle))
  }

  /** Removes a program from the cache. */
  forget(key: string): void {
    const kept = this.#kept.get(key)
    this.#kept.delete(key)
    kept?.leave()
  }

  dispose(): void {
    for (const key of [...this.#kept.keys()]) this.forget(key)
  }

  async #prepare(workload: Workload, shape: Shape, plan?: Plan): Promise<Program> {
    const { device } = this
    if (shape.ranged && workload.loop === 'pair')
      return (await import('./with-reference.ts')).prepareRanged(device, workload, shape, plan)
    requireSupport(device.info.backend, workload, device.supports(workload, shape))
    return device.prepare(workload, shape, plan)
  }
}

function oldestOf(programs: readonly (readonly [key: string, kept: Kept])[]): string {
  let [oldest, before] = ['', Number.POSITIVE_INFINITY]
  for (const [key, { turn }] of programs) if (turn < before) [oldest, before] = [key, turn]
  return oldest
}
