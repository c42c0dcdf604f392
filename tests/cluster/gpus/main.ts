// Compares two GPUs of one machine with one: loops over points that stay on them, and runs of a cluster with a worker for each.
//   gpus.mjs --nats <nats-server> [--dawn <dawn.node>] [--sizes 262144,1000000] [--layer <folder>] [--server-only]
//     [--json <file>]
// Each process sees one GPU. By default a mount namespace hides the device files of the others, which needs root. With --layer, a Vulkan
// layer obeys GPU_INDEX. On a machine without two NVIDIA cards, both processes use any GPU that they find.

import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cluster } from '@manybody/cluster'
import { createEngine, type Report } from 'manybody'
import { machine } from '../../../bench/src/node/machine.ts'
import { startNatsServer } from '../nats-server.ts'
import { type Coordinated, type Loop, type Question, serve } from './gpu.ts'
import { law, pointsOf, workload } from './problem.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    nats: { type: 'string', default: 'nats-server' },
    dawn: { type: 'string' },
    sizes: { type: 'string', default: '262144,1000000' },
    layer: { type: 'string' },
    'server-only': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})

interface Gpu {
  readonly name: string
  ask(question: Question): Promise<unknown>
}

interface Row {
  readonly points: number
  readonly what: string
  readonly milliseconds: number
}

interface Gain {
  readonly what: string
  readonly measured: number
  readonly goal: number
  readonly unit: string
  /** The goal is the least gain, not the most. */
  readonly least: true
}

/** The least gains required of two GPUs. */
const gains: Readonly<Record<string, number>> = {
  '262144 points, each pair once': 1.6,
  '262144 points, through a server, the same points again': 1.6,
  '262144 points, through a server, a step': 1.6,
  '262144 points, through a server that may be declined, other points': 0.95,
  '262144 points, through a server that may be declined, a step': 0.95,
  '1000000 points, the same loop': 1.9,
  '1000000 points, through a server, the same points again': 1.9,
  '1000000 points, through a server, a step': 1.9,
}

const rows: Row[] = []
const gpuNames: string[] = []
const here = machine()

if (positionals[0] === 'gpu') await serve(values.dawn)
else await compare()

async function compare(): Promise<void> {
  const children: ChildProcess[] = []
  const server = await startNatsServer(values.nats)
  try {
    const gpus = await Promise.all([0, 1].map((index) => open(index, children)))
    gpuNames.push(...gpus.map(({ name }) => name))
    console.log(gpuNames.join('\n'))
    const sizes = values.sizes.split(',').map(Number)
    for (const [n, gpu] of gpus.entries()) {
      await gpu.ask({ ask: 'join', servers: server.url })
      for (const points of sizes) await spread(server.url, points, n + 1)
    }
    if (!values['server-only'])
      for (const points of sizes) {
        await resident(gpus, points)
        await choosing(gpus[0] as Gpu, server.url, points)
      }
    for (const { what, measured } of ratios()) console.log(`${what}: ${measured.toFixed(2)}`)
  } finally {
    for (const child of children) child.kill()
    await server.stop()
  }
}

/** Writes the file after every row, because the machine may be taken away. */
function record(points: number, what: string, milliseconds: number): void {
  rows.push({ points, what, milliseconds })
  const kept = { command: 'gpus.mjs', date: new Date(), machine: here, gpus: gpuNames, rows, figures: ratios() }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(kept, null, 2)}\n`)
  console.log(`${points} points, ${what}: ${milliseconds.toFixed(2)} ms`)
}

/** Loops over points that stay on the GPUs. */
async function resident(gpus: readonly Gpu[], points: number): Promise<void> {
  const [first, second] = gpus as [Gpu, Gpu]
  for (const [half, gpu] of gpus.entries()) await gpu.ask({ ask: 'load', count: points, half })
  const cases: readonly (readonly [string, readonly Gpu[], Loop])[] = [
    ['one GPU, own choice', [first], 'own'],
    ['the other GPU, own choice', [second], 'own'],
    ['one GPU, plain loop', [first], 'plain'],
    ['two GPUs, half of the targets each', gpus, 'half'],
    ['two GPUs, half of the pairs once and half across', gpus, 'half once'],
  ]
  for (const [what, used, loop] of cases) {
    const run = async (times: number) => {
      const began = performance.now()
      await Promise.all(used.map((gpu) => gpu.ask({ ask: 'loop', loop, times })))
      return (performance.now() - began) / times
    }
    // Clocks rise within some hundred milliseconds.
    const once = await run(3)
    const times = Math.max(3, Math.round(600 / once))
    record(points, what, await shortest(4, () => run(times)))
  }
  record(points, 'one GPU, whole call', await shortest(5, () => first.ask({ ask: 'call' }) as Promise<number>))
  record(points, 'one GPU, a step', (await first.ask({ ask: 'steps', times: stepsOf(points) })) as number)
  const [own] = (await Promise.all([first.ask({ ask: 'results', loop: 'own' })])) as [Float32Array]
  for (const loop of ['half', 'half once'] as const) {
    const halves = (await Promise.all(gpus.map((gpu) => gpu.ask({ ask: 'results', loop })))) as Float32Array[]
    const joined = Float32Array.from(halves.flatMap((half) => [...half]))
    console.log(`${points} points, ${loop}: differs from one GPU by ${difference(joined, own).toExponential(1)}`)
  }
}

/** Runs on a cluster with all workers that have joined. */
async function spread(servers: string, points: number, workers: number): Promise<void> {
  const engine = await createEngine({ backends: [cluster({ servers, always: true })] })
  try {
    const given = pointsOf(points)
    const what = `a cluster of ${workers} ${workers === 1 ? 'GPU' : 'GPUs'}`
    let shortestRun = { wall: Number.POSITIVE_INFINITY, report: {} as Report }
    const run = async () => {
      const began = performance.now()
      const { report } = await engine.run(workload, given)
      const wall = performance.now() - began
      if (wall < shortestRun.wall) shortestRun = { wall, report }
      return wall
    }
    record(points, `${what}, the same points again`, await warmShortest(run))
    const { timings, spread: how, variant } = shortestRun.report
    console.log(JSON.stringify({ ...timings, ...how, variant }))
    const moving = async () => {
      given.position[0] = Math.random()
      return run()
    }
    record(points, `${what}, other points`, await warmShortest(moving))
    const simulation = await engine.simulate({ law, particles: given, dt: 1e-6 })
    const step = async () => {
      const began = performance.now()
      await simulation.step()
      return performance.now() - began
    }
    record(points, `${what}, a step`, await warmShortest(step))
    simulation.dispose()
    for (const note of engine.device.info.notes ?? []) console.log(note)
  } finally {
    engine.dispose()
  }
}

/** A cluster that also has one of its GPUs at home: a run takes as long as on the faster of the two. */
async function choosing(first: Gpu, servers: string, points: number): Promise<void> {
  const chosen = (await first.ask({ ask: 'coordinate', servers, times: stepsOf(points) })) as Coordinated
  record(points, 'a cluster of 2 GPUs, one also at home, other points', chosen.call)
  record(points, 'a cluster of 2 GPUs, one also at home, a step', chosen.step)
  console.log(chosen.variant)
}

/** How many steps take about two seconds. */
function stepsOf(points: number): number {
  return Math.ceil(500 / (points / 1e5) ** 2 / 4)
}

/** Times of one GPU divided by the times of two, and the least gains required of them. */
function ratios(): readonly Gain[] {
  return timesOfOne().flatMap(({ what, measured }) => {
    const goal = gains[what]
    return goal === undefined ? [] : [{ what: `two GPUs over one, ${what}`, measured, goal, unit: '', least: true }]
  })
}

function timesOfOne() {
  const of = (points: number, what: string) =>
    rows.find((row) => row.points === points && row.what === what)?.milliseconds ?? Number.NaN
  return [...new Set(rows.map(({ points }) => points))].flatMap((points) => [
    {
      what: `${points} points, each pair once`,
      measured: of(points, 'one GPU, own choice') / of(points, 'two GPUs, half of the pairs once and half across'),
    },
    {
      what: `${points} points, the same loop`,
      measured: of(points, 'one GPU, plain loop') / of(points, 'two GPUs, half of the targets each'),
    },
    {
      what: `${points} points, through a server that may be declined, other points`,
      measured: of(points, 'one GPU, whole call') / of(points, 'a cluster of 2 GPUs, one also at home, other points'),
    },
    {
      what: `${points} points, through a server that may be declined, a step`,
      measured: of(points, 'one GPU, a step') / of(points, 'a cluster of 2 GPUs, one also at home, a step'),
    },
    ...['the same points again', 'other points', 'a step'].map((which) => ({
      what: `${points} points, through a server, ${which}`,
      measured: of(points, `a cluster of 1 GPU, ${which}`) / of(points, `a cluster of 2 GPUs, ${which}`),
    })),
  ])
}

/** In the first seconds, workers compile faster loops, and V8 compiles hot code. */
async function warmShortest(act: () => Promise<number>): Promise<number> {
  const warm = performance.now() + 2000
  while (performance.now() < warm) await act()
  return shortest(12, act)
}

async function shortest(times: number, act: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < times; n++) least = Math.min(least, await act())
  return least
}

function difference(a: Float32Array, b: Float32Array): number {
  const norm = (numbers: Float32Array) => Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0))
  return norm(a.map((x, n) => x - (b[n] as number))) / norm(b)
}

/** A process that sees only the GPU with this index. */
async function open(index: number, children: ChildProcess[]): Promise<Gpu> {
  const args = [
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    'gpu',
    ...(values.dawn ? ['--dawn', values.dawn] : []),
  ]
  const files = readdirSync('/dev').filter((name) => /^nvidia\d+$/.test(name))
  const hidden = files.toSorted((a, b) => Number(a.slice(6)) - Number(b.slice(6))).filter((_, n) => n !== index)
  const options: SpawnOptions = { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' }
  const child = startedFor(index, hidden, args, options)
  children.push(child)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of GPU ${index} ended with code ${code}`)
  })
  // The process may end while nobody waits for an answer.
  ended.catch(() => {})
  const next = async () => {
    const [{ value, error }] = (await Promise.race([once(child, 'message'), ended])) as [
      { value: unknown; error?: string },
    ]
    if (error) throw new Error(`GPU ${index}: ${error}`)
    return value
  }
  return {
    name: `GPU ${index}: ${await next()}`,
    ask(question) {
      child.send(question)
      return next()
    },
  }
}

function startedFor(
  index: number,
  hidden: readonly string[],
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  if (values.layer) {
    const env = {
      ...process.env,
      GPU_INDEX: `${index}`,
      VK_ADD_LAYER_PATH: values.layer,
      VK_LAYER_PATH: values.layer,
      VK_INSTANCE_LAYERS: 'VK_LAYER_GPU_INDEX',
    }
    return spawn(process.execPath, args, { ...options, env })
  }
  if (hidden.length === 0) return spawn(process.execPath, args, options)
  const hide = hidden.map((name) => `mount --bind /dev/null /dev/${name}`).join(' && ')
  const mounts = ['--mount', 'sh', '-c', `${hide} && exec "$@"`, 'sh']
  if (spawnSync('unshare', ['--mount', 'sh', '-c', hide]).status !== 0)
    throw new Error('a mount namespace cannot be made here; pass --layer')
  return spawn('unshare', [...mounts, process.execPath, ...args], options)
}
