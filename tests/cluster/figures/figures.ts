// Measures the costs of a cluster besides the work of its workers. Hosts are simulated: their workers take as long as real ones would, but
// leave the processor to the engine. Two cores can thus stand for a thousand hosts.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { cluster } from '@manybody/cluster'
import { accelerations, type Backend, createEngine, type Engine, gravity, potentials, reference } from 'manybody'
import { machine } from '../../../bench/src/node/machine.ts'
import { root } from '../../../tools/pnpm.mjs'
import { numbers } from '../../support/numbers.ts'
import { type NatsServer, startNatsServer } from '../nats-server.ts'
import { bundled } from './bundled.ts'

const law = gravity({ softening: 0.05 })

/** Pairs per millisecond of one core with SIMD. */
const core = 2e6

/** The manual's advice for workers that receive large arrays. */
const largePages = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' }

interface Figure {
  readonly what: string
  readonly measured: number
  readonly goal: number
  readonly unit: string
}

const parts: Readonly<Record<string, (program: string) => Promise<readonly Figure[]>>> = {
  steps: (program) => on(program, Array(4).fill('Infinity'), steps),
  // The worker computes nothing, because WebAssembly could not address as many points.
  sources: (program) => on(program, ['Infinity'], sources, { home: reference(), env: largePages }),
  speeds: (program) => on(program, [`${core / 10}`, `${core * 10}`], speeds),
  million: (program) => on(program, Array(4).fill(`${core}`), million, { env: largePages }),
  thousand: (program) => on(program, [`${core / 10}`], thousand, { file: 'thousand-workers' }),
}

export const figureNames: readonly string[] = Object.keys(parts)

export async function figures(program: string, only: string | undefined, json: string | undefined): Promise<number> {
  const load = loadavg()[0]
  const found: Figure[] = []
  for (const [name, measure] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue
    for (const figure of await measure(program)) {
      const { what, measured, goal, unit } = figure
      console.log(
        `${measured <= goal ? 'holds' : 'MISSED'}  ${what}: ${measured.toPrecision(3)}${unit}, goal ${goal}${unit}`,
      )
      found.push(figure)
    }
  }
  const command = `npm run cluster -- figures${only === undefined ? '' : ` --only ${only}`}`
  const record = { command, date: new Date(), machine: { ...machine(), load }, figures: found }
  if (json) writeFileSync(json, `${JSON.stringify(record, null, 2)}\n`)
  return found.every(({ measured, goal }) => measured <= goal) ? 0 : 1
}

interface Running {
  readonly engine: Engine
  readonly server: NatsServer
  readonly workers: readonly ChildProcess[]
}

/** Measures on a cluster with workers of these speeds. */
async function on(
  program: string,
  speedsOfWorkers: readonly string[],
  measure: (running: Running) => Promise<readonly Figure[]>,
  { home, file = 'worker', env }: { readonly home?: Backend; readonly file?: string; readonly env?: object } = {},
): Promise<readonly Figure[]> {
  const bundle = await bundled(file)
  const server = await startNatsServer(program)
  const workers = speedsOfWorkers.map((speed) =>
    spawn(process.execPath, [bundle, server.url, speed], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...env, ...process.env },
    }),
  )
  try {
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.stdout?.once('data', resolve))))
    const engine = await createEngine({
      backends: [cluster({ servers: server.url, always: true, storeBytes: 2 ** 32, ...(home && { home }) })],
    })
    const measured = await measure({ engine, server, workers })
    engine.dispose()
    return measured
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await server.stop()
    rmSync(bundle)
  }
}

/**
 * The shortest of 40 steps, once the simulation runs. Workers answer at once. Points move without forces, so that every step has positions
 * to send.
 */
async function steps({ engine }: Running): Promise<readonly Figure[]> {
  const all: Figure[] = []
  for (const [points, goal] of [
    [16_384, 5],
    [131_072, 25],
  ] as const) {
    const velocity = numbers(3 * points, 3)
    const particles = { position: numbers(3 * points, 1), velocity, mass: numbers(points, 2) }
    const simulation = await engine.simulate({ law, particles, dt: 1e-3 })
    // Six processes compile their code in the first steps, and still do after 100.
    await simulation.step(600)
    let measured = Number.POSITIVE_INFINITY
    for (let n = 0; n < 40; n++) {
      const began = performance.now()
      await simulation.step()
      measured = Math.min(measured, performance.now() - began)
    }
    simulation.dispose()
    all.push({ what: `a step of ${points} points on four workers, beside the work`, measured, goal, unit: ' ms' })
  }
  return all
}

/** A worker fetches sources that it lacks, and computes with them. */
async function sources({ engine, workers }: Running): Promise<readonly Figure[]> {
  const count = 75_000_000
  const position = new Float32Array(3 * count).map((_, n) => (n * 0.618) % 1)
  const bytes = 16 * count
  const given = {
    targets: { position: position.slice(0, 384), mass: new Float32Array(128).fill(1) },
    sources: { position, mass: new Float32Array(count).fill(1) },
  }
  const workload = potentials(gravity({ softening: 0.05 }))
  const first = (await engine.run(workload, given)).report
  const again = (await engine.run(workload, given)).report
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${workers[0]?.pid}/status`, 'utf8'))?.[1]) * 1024
  // The second run also computes and checks digests, but sends nothing.
  const fetched = (first.timings.compute - again.timings.compute) / 1000
  const stored = (first.timings.upload - again.timings.upload) / 1000
  return [
    { what: '1.2 GB of sources from the server to a worker', measured: fetched, goal: 10, unit: ' s' },
    { what: 'the same from the coordinator, who stores them first', measured: stored + fetched, goal: 10, unit: ' s' },
    { what: 'memory of that worker over their size', measured: peak / bytes, goal: 2, unit: '' },
    { what: 'bytes that a second run sends', measured: again.spread?.sentBytes ?? Number.NaN, goal: 1000, unit: '' },
  ]
}

/** A first run measures both workers. */
async function speeds({ engine }: Running): Promise<readonly Figure[]> {
  const points = 300_000
  const particles = { position: numbers(3 * points, 1), mass: numbers(points, 2) }
  await engine.run(accelerations(law), particles)
  const { report } = await engine.run(accelerations(law), particles)
  const ideal = points ** 2 / (core * 10.1)
  return [
    {
      what: 'workers of 100:1 speed: time over that of their sum',
      measured: report.timings.compute / ideal,
      goal: 1.1,
      unit: '',
    },
  ]
}

/** The model of the design: the work, and 28 bytes per point. The server sends at 1 GB/s, and Node reads at 0.25 GB/s. */
async function thousand({ engine }: Running): Promise<readonly Figure[]> {
  const points = 1_000_000
  const particles = { position: numbers(3 * points, 1), mass: numbers(points, 2) }
  const { timings, spread } = (await engine.run(accelerations(law), particles)).report
  console.log(spread)
  const model = points ** 2 / (100 * core) + (28 * points) / 1e6 + (28 * points) / 2.5e5
  return [
    {
      what: `a million points, 1000 workers: wall time over the ${(model / 1000).toFixed(2)} s of the model`,
      measured: (timings.upload + timings.compute) / model,
      goal: 1.2,
      unit: '',
    },
  ]
}

/** The overhead of a large run. The processor time includes the workers, because they only simulate their work. */
async function million({ engine, server, workers }: Running): Promise<readonly Figure[]> {
  const points = 1_000_000
  const particles = { position: numbers(3 * points, 1), mass: numbers(points, 2) }
  const pids = [process.pid, server.pid, ...workers.map(({ pid }) => pid)]
  const before = pids.map(processorTime).reduce((a, b) => a + b, 0)
  const began = performance.now()
  await engine.run(accelerations(law), particles)
  const wall = performance.now() - began
  const spent = pids.map(processorTime).reduce((a, b) => a + b, 0) - before
  const work = points ** 2 / core
  return [
    {
      what: 'a million points, four hosts: wall time over the ideal split',
      measured: wall / (work / 4),
      goal: 1.02,
      unit: '',
    },
    {
      what: 'processor time of the engine, of all processes, in percent of the work',
      measured: (100 * spent) / work,
      goal: 1,
      unit: '%',
    },
  ]
}

/** The processor time of a process, in milliseconds. */
function processorTime(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  // The kernel counts in hundredths of a second.
  return 10 * (user + system)
}
