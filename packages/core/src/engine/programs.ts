/**
 * A cache of the programs prepared on one device. A program is disposed of once it has left the cache and its last run
 * has ended.
 *
 * @module
 */

import type { Device, Plan, Program } from '../contract/backend.ts'
import { finite, named, type OptionCheck, onlyNamed, text } from '../ground/checks.ts'
import type { Shape, Workload } from '../problem/workloads/workload.ts'
import { programKey } from './program-key.ts'
import { requireSupport } from './require-support.ts'

interface Kept {
  readonly program: Promise<Program>
  /** The program, once it is prepared. */
  ready?: Program
  running: number
  /** Whether it has left the cache. */
  left: boolean
}

const planChecks: Readonly<Record<string, OptionCheck>> = {
  variant: text,
  sizes: (sizes, name) => {
    named(sizes, name)
    for (const [size, n] of Object.entries(sizes as object)) finite(n, `${name}.${size}`)
  },
}

/** The size of the cache; the least recently used program leaves first. */
const most = 128

export class Programs {
  readonly #kept = new Map<string, Kept>()

  constructor(readonly device: Device) {}

  /**
   * Works with the program for a workload, from the cache if it is there.
   *
   * @param work gets the program, and the milliseconds that preparing it took
   */
  async using<T>(
    workload: Workload,
    shape: Shape,
    plan: Plan | undefined,
    work: (program: Program, preparing: number) => Promise<T>,
  ): Promise<T> {
    if (plan !== undefined) onlyNamed(plan, 'name of a plan', ['variant', 'sizes'], planChecks)
    const key = programKey(workload, shape, plan)
    const start = performance.now()
    const kept = this.#kept.get(key) ?? this.#added(key, this.#prepare(workload, shape, plan))
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    if (this.#kept.size > most) this.forget(this.#kept.keys().next().value as string)
    kept.running++
    try {
      const program = kept.ready ?? (await kept.program)
      return await work(program, performance.now() - start)
    } finally {
      kept.running--
      disposeOf(kept)
    }
  }

  #added(key: string, program: Promise<Program>): Kept {
    const kept: Kept = { program, running: 0, left: false }
    program.then(
      (it) => {
        kept.ready = it
      },
      () => {
        if (this.#kept.get(key) === kept) this.#kept.delete(key)
      },
    )
    return kept
  }

  /** Removes a program from the cache. */
  forget(key: string): void {
    const kept = this.#kept.get(key)
    this.#kept.delete(key)
    if (!kept) return
    kept.left = true
    disposeOf(kept)
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

/** Disposes of a program that has left the cache and runs no more. */
function disposeOf({ program, running, left }: Kept): void {
  // The caller that requested the program got the error of a failed compilation.
  if (left && running === 0)
    program.then(
      (it) => it.dispose(),
      () => {},
    )
}
