// A line of progress every few seconds while vitest runs: time, files and tests that are done, and files that run. It names a file that
// has had no result for long, with its current test, and at the end the files that took longest. Plain lines suit terminals and logs. The reporter beside it shows failures.

import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node'
import { root } from '../../tools/pnpm.mjs'

/** Milliseconds between lines: half of the longest acceptable silence. */
const interval = 10_000

/** Milliseconds without a result after which a file's current test is named. */
const patience = 30_000

/** The state of a running file. */
interface Running {
  readonly since: number
  /** The test that began or ended last. */
  readonly at?: string
}

/** The state of a run, and the line that reports it. */
export class Progress {
  readonly #start: number
  readonly #waiting = new Set<string>()
  readonly #running = new Map<string, Running>()
  readonly #seconds = new Map<string, number>()
  #total = 0
  #files = 0
  #passed = 0
  #failed = 0
  #skipped = 0

  /** @param now milliseconds */
  constructor(now: number) {
    this.#start = now
  }

  /** @param files a key for each file */
  planned(files: readonly string[]): void {
    for (const key of files) this.#waiting.add(key)
    this.#total = files.length
  }

  started(key: string, now: number): void {
    this.#running.set(key, { since: now })
  }

  testing(key: string, test: string, now: number): void {
    this.#at(key, { since: now, at: `in "${test}"` })
  }

  tested(key: string, test: string, state: 'passed' | 'failed' | 'skipped' | 'pending', now: number): void {
    this.#at(key, { since: now, at: `after "${test}"` })
    if (state === 'passed') this.#passed += 1
    else if (state === 'failed') this.#failed += 1
    else this.#skipped += 1
  }

  /** A browser may report results after the end of their file. */
  #at(key: string, at: Running): void {
    if (this.#waiting.has(key)) this.#running.set(key, at)
  }

  /** @param milliseconds that its tests took */
  ended(key: string, milliseconds: number): void {
    this.#seconds.set(key, Math.round(milliseconds / 1000))
    this.#running.delete(key)
    this.#waiting.delete(key)
    this.#files += 1
  }

  line(now: number): string {
    if (this.#total === 0) return `[${clock(now - this.#start)}] setting up`
    const counts = [
      `${this.#files} of ${this.#total} files`,
      `${this.#passed} tests passed`,
      `${this.#failed} failed`,
      ...(this.#skipped > 0 ? [`${this.#skipped} skipped`] : []),
    ]
    const files = [...this.#running].map(([key, { since, at }]) =>
      now - since < patience ? key : `${key} (${clock(now - since)} without a result${at ? `, ${at}` : ''})`,
    )
    const running = files.length > 0 ? `; running ${files.join(', ')}` : ''
    return `[${clock(now - this.#start)}] ${counts.join(', ')}${running}`
  }

  /** The files that took longest. */
  longest(): string {
    const files = [...this.#seconds].sort(([, a], [, b]) => b - a).slice(0, 10)
    return `longest: ${files.map(([key, seconds]) => `${key} ${seconds} s`).join(', ')}`
  }
}

/** Minutes and seconds. */
function clock(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export default class ProgressReporter implements Reporter {
  readonly #progress = new Progress(performance.now())
  #timer: NodeJS.Timeout | undefined

  onInit(): void {
    this.#timer = setInterval(() => this.#say(), interval)
    this.#timer.unref()
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#progress.planned(specifications.map(({ project, moduleId }) => keyOf(project.name, moduleId)))
    this.#say()
  }

  onTestModuleQueued({ project, moduleId }: TestModule): void {
    this.#progress.started(keyOf(project.name, moduleId), performance.now())
  }

  onTestCaseReady({ project, module, fullName }: TestCase): void {
    this.#progress.testing(keyOf(project.name, module.moduleId), fullName, performance.now())
  }

  onTestCaseResult(test: TestCase): void {
    const { project, module, fullName } = test
    this.#progress.tested(keyOf(project.name, module.moduleId), fullName, test.result().state, performance.now())
  }

  onTestModuleEnd(module: TestModule): void {
    const { project, moduleId } = module
    this.#progress.ended(keyOf(project.name, moduleId), module.diagnostic().duration)
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer)
    console.log(this.#progress.longest())
    this.#say()
  }

  #say(): void {
    console.log(this.#progress.line(performance.now()))
  }
}

const keyOf = (project: string, moduleId: string): string => `${project} ${relative(root, moduleId)}`
