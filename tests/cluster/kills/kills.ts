// Kills workers, coordinators and the server of a cluster with SIGKILL while they compute. A seed gives the order. Every step of the
// simulation is compared with the same step of an undisturbed one.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { joinCluster } from '@manybody/cluster'
import { build } from 'esbuild'
import { createEngine } from 'manybody'
import { machine } from '../../../bench/src/node/machine.ts'
import { randomFrom } from '../../../examples/support/random.ts'
import { root } from '../../../tools/pnpm.mjs'
import { type NatsServer, startNatsServer } from '../nats-server.ts'
import { advance, galaxy, pairs, type Step, spread } from './problem.ts'

export interface KillOptions {
  readonly program: string
  readonly seed: number
  readonly count: number
  readonly workers: number
  readonly json: string | undefined
}

type Part = 'worker' | 'coordinator' | 'server'

/** Something is killed within this many milliseconds after a step begins. A step takes longer. */
const longestDelay = 40

/** After this many milliseconds without a step, something is wrong, even on a slow machine. */
const patience = 300_000

interface Kill {
  readonly part: Part
  /** Milliseconds after the beginning of a step. */
  readonly delay: number
  /** Selects one of the workers, from 0 to 1. */
  readonly which: number
}

interface Line extends Step {
  readonly epoch: number
  readonly repeated: number
}

/** Returns the exit status. */
export async function kills({ program, seed, count, workers, json }: KillOptions): Promise<number> {
  const began = Date.now()
  const folder = mkdtempSync(join(tmpdir(), 'manybody-kills-'))
  const server = await startNatsServer(program)
  const stage = await Stage.open(folder, server, workers)
  const order = killsOf(count, seed)
  try {
    for (const [n, kill] of order.entries()) {
      await stage.ready(kill.part)
      await new Promise((resolve) => setTimeout(resolve, kill.delay))
      await stage.kill(kill)
      if ((n + 1) % 50 === 0)
        console.log(`${n + 1} kills, ${stage.lines.length} steps, ${((Date.now() - began) / 1000).toFixed(0)} s`)
    }
    await stage.ready('coordinator')
  } finally {
    stage.end()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
  const { lines, restarts } = stage
  const truth = await undisturbed(program, Math.max(...lines.map(({ step }) => step)))
  const wrong = lines.filter(({ step, hash }) => hash !== truth[step - 1]?.hash)
  const notOnce = lines.filter(({ evaluated }) => evaluated !== pairs)
  const missing = truth.filter(({ step }) => !lines.some((line) => line.step === step))
  const killed = (part: Part) => order.filter((kill) => kill.part === part).length
  const faults = wrong.length + notOnce.length + missing.length
  const by = { workers: killed('worker'), coordinators: killed('coordinator'), servers: killed('server') }
  const what = `${order.length} kills (${Object.entries(by)
    .map(([part, n]) => `${n} ${part}`)
    .join(', ')}) in ${truth.length} steps: steps that are missing, wrong or counted twice`
  const record = {
    ...{
      command: `npm run cluster -- kills --seed ${seed} --kills ${count} --workers ${workers}`,
      date: new Date(began),
    },
    machine: { ...machine(), load: loadavg()[0] },
    seconds: (Date.now() - began) / 1000,
    killed: by,
    figures: [{ what, measured: faults, goal: 0, unit: '' }],
    /** Processes that were started again because they had ended without a server or a worker. */
    restarts,
    steps: truth.length,
    /** Complete results. A step that was lost with its coordinator is computed again. */
    results: lines.length,
    epochs: Math.max(...lines.map(({ epoch }) => epoch)),
    blocksGivenTwice: lines.reduce((sum, { repeated }) => sum + repeated, 0),
    ...{ wrong: wrong.length, notCountedOnce: notOnce.length, missing: missing.length },
    lastHash: truth.at(-1)?.hash,
  }
  const text = JSON.stringify(record, null, 2)
  console.log(text)
  if (json) writeFileSync(json, `${text}\n`)
  return faults === 0 ? 0 : 1
}

/** All steps on a cluster without kills. */
async function undisturbed(program: string, steps: number): Promise<readonly Step[]> {
  const server = await startNatsServer(program)
  const worker = await joinCluster({ servers: server.url, backend: 'reference' })
  const engine = await createEngine({ backends: [spread(server.url)] })
  const simulation = await engine.simulate(galaxy)
  const all: Step[] = []
  while (all.length < steps) all.push(await advance(engine, simulation))
  engine.dispose()
  await worker.leave()
  await server.stop()
  return all
}

/** 90% workers, 5% coordinators, 5% the server. */
function killsOf(count: number, seed: number): readonly Kill[] {
  const few = Math.round(count / 20)
  const parts = Array.from({ length: count }, (_, n): Part => {
    if (n < few) return 'coordinator'
    return n < 2 * few ? 'server' : 'worker'
  })
  const random = randomFrom(seed)
  for (let n = parts.length - 1; n > 0; n--) {
    const other = Math.floor(random() * (n + 1))
    ;[parts[n], parts[other]] = [parts[other] as Part, parts[n] as Part]
  }
  return parts.map((part) => ({ part, delay: Math.floor(longestDelay * random()), which: random() }))
}

/** The processes of the cluster. A process that ends is started again. */
class Stage {
  readonly lines: Line[] = []
  /** Workers in the order of their start. A worker in `#waiting` has reported that it waits for work. */
  readonly #workers = new Set<ChildProcess>()
  readonly #waiting = new Set<ChildProcess>()
  readonly #killed = new WeakSet<ChildProcess>()
  #coordinator: ChildProcess | undefined
  /** The current step, and whether something was killed in it. */
  #current: { readonly step: number; readonly hit: boolean } | undefined
  #told = 0
  #ended = false
  restarts = 0

  private constructor(
    readonly folder: string,
    readonly server: NatsServer,
    readonly wanted: number,
  ) {}

  static async open(folder: string, server: NatsServer, wanted: number): Promise<Stage> {
    await build({
      entryPoints: {
        worker: join(root, 'packages/cluster/src/cli.ts'),
        coordinator: join(root, 'tests/cluster/kills/coordinator.ts'),
      },
      ...{
        outdir: folder,
        outExtension: { '.js': '.mjs' },
        bundle: true,
        minify: true,
        platform: 'node',
        format: 'esm',
      },
      external: ['webgpu', 'gpu.js'],
      banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)` },
    })
    const stage = new Stage(folder, server, wanted)
    for (let n = 0; n < wanted; n++) stage.#startWorker()
    stage.#startCoordinator()
    return stage
  }

  /**
   * Resolves with the current step when two workers are there and nothing was killed in that step. Before a coordinator is killed, a result
   * must have come since the last such kill.
   */
  async ready(part: Part): Promise<number> {
    const began = Date.now()
    const isReady = () =>
      this.#waiting.size >= 2 &&
      this.#current?.hit === false &&
      (part !== 'coordinator' || this.lines.length > this.#told)
    while (!isReady()) {
      if (Date.now() - began > patience) throw new Error(`nothing was computed for ${patience / 1000} s`)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    const { step } = this.#current as { step: number }
    this.#current = { step, hit: true }
    if (part === 'coordinator') this.#told = this.lines.length
    return step
  }

  async kill({ part, which }: Kill): Promise<void> {
    if (part === 'server') {
      await this.server.kill()
      await this.server.restart({ keep: true })
      return
    }
    const workers = [...this.#waiting]
    const victim = part === 'worker' ? workers[Math.floor(which * workers.length)] : this.#coordinator
    if (!victim) throw new Error(`there is no ${part} to kill`)
    this.#killed.add(victim)
    this.#waiting.delete(victim)
    victim.kill('SIGKILL')
  }

  end(): void {
    this.#ended = true
    for (const child of [...this.#workers, this.#coordinator]) child?.kill('SIGKILL')
  }

  #startWorker(): void {
    const child = this.#start('worker', ['worker', '--servers', this.server.url, '--backend', 'reference'])
    this.#workers.add(child)
    child.stdout?.once('data', () => this.#waiting.add(child))
    this.#onEnd(child, () => {
      this.#workers.delete(child)
      this.#waiting.delete(child)
      this.#startWorker()
    })
  }

  #startCoordinator(): void {
    const child = this.#start('coordinator', [this.server.url])
    this.#coordinator = child
    if (child.stdout) createInterface(child.stdout).on('line', (line) => this.#hear(line))
    this.#onEnd(child, () => this.#startCoordinator())
  }

  #hear(line: string): void {
    // The kill may have cut a line.
    if (!line.endsWith('}')) return
    const said = JSON.parse(line) as Line | { readonly begins: number }
    if ('begins' in said) this.#current = { step: said.begins, hit: false }
    else this.lines.push(said)
  }

  #start(name: string, args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [join(this.folder, `${name}.mjs`), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  #onEnd(child: ChildProcess, again: () => void): void {
    child.once('exit', () => {
      if (this.#ended) return
      if (!this.#killed.has(child)) this.restarts++
      again()
    })
  }
}
