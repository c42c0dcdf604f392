// The work that faults disturb, and the judgement of its outcome: right, an error with advice, or neither.

import type { Engine } from 'manybody'
import {
  accelerations,
  createEngine,
  forces,
  gravity,
  neighborsWithin,
  pairPotential,
  potentials,
  tree,
} from 'manybody'
import type { Outcome } from './fault.ts'

export const law = gravity({ softening: 0.1 })
const ownLaw = pairPotential('mass_i*mass_j*exp(-r2)/(0.3 + r2)')()

/** Points that depend on their number alone. */
export function points(count: number): { readonly position: Float32Array; readonly mass: Float32Array } {
  const numbers = (length: number, step: number) => Float32Array.from({ length }, (_, n) => ((n + 1) * step) % 1)
  return { position: numbers(3 * count, 0.7548776662), mass: numbers(count, 0.6180339887) }
}

interface Done {
  readonly numbers: Float32Array
  readonly backend: string
  readonly recoveries: readonly string[]
}

export type Work = (engine: Engine, count: number, signal?: AbortSignal) => Promise<Done>

/** Accelerations. */
export const run: Work = async (engine, count, signal) => {
  const { acceleration, report } = await engine.run(accelerations(law), points(count), signal ? { signal } : {})
  return { numbers: acceleration, backend: report.backend, recoveries: report.recoveries }
}

/** Forces of a law that engines do not already compile for their proof. */
export const runNewLaw: Work = async (engine, count) => {
  const { force, report } = await engine.run(forces(ownLaw), points(count))
  return { numbers: force, backend: report.backend, recoveries: report.recoveries }
}

/** A sum with a tolerance, and one over given ranges. */
export const approximate: Work = async (engine, count, signal) => {
  const options = signal ? { signal } : {}
  const rough = potentials(law, { method: tree({ tolerance: 1e-5 }) })
  const { potential } = await engine.run(rough, points(count), options)
  const half = Math.floor(count / 2)
  const ranges = { targets: [0, half, count], offsets: [0, 1, 2], sources: [half, count, 0, half] }
  const { acceleration, report } = await engine.run(accelerations(law), points(count), { ...options, ranges })
  const numbers = Float32Array.of(...potential, ...acceleration)
  return { numbers, backend: report.backend, recoveries: report.recoveries }
}

/** The neighbours of each point. */
export const lists: Work = async (engine, count, signal) => {
  const { position } = points(count)
  const { offsets, index, report } = await engine.run(neighborsWithin(0.3), { position }, signal ? { signal } : {})
  return { numbers: Float32Array.of(...offsets, ...index), backend: report.backend, recoveries: report.recoveries }
}

/** Positions after twelve steps, with a snapshot on the way. */
export const simulation: Work = async (engine, count, signal) => {
  const particles = { ...points(count), velocity: new Float32Array(3 * count) }
  const moving = await engine.simulate({ law, particles, dt: 0.002 })
  const options = signal ? { signal } : {}
  await moving.step(4, options)
  await moving.snapshot()
  await moving.step(8, options)
  const numbers = await moving.read('position')
  const { recoveries } = moving
  moving.dispose()
  return { numbers, backend: engine.device.info.backend, recoveries }
}

const truths = new Map<string, Promise<Float32Array>>()

function truthOf(work: Work, count: number): Promise<Float32Array> {
  const key = `${work.name} ${count}`
  const known = truths.get(key) ?? referenceOf(work, count)
  truths.set(key, known)
  return known
}

/** For so many points the reference takes a minute. The loop in float64 on one thread agrees with it to more digits than are compared. */
const many = 5000

async function referenceOf(work: Work, count: number): Promise<Float32Array> {
  const double = { backend: 'cpu-wasm', precision: 'f64', threads: 1 } as const
  const open = count < many ? createEngine({ backend: 'reference' }) : createEngine(double)
  await using engine = (await open) as Engine
  return (await work(engine, count)).numbers
}

const spans = new Map<string, number>()

/** Milliseconds that the work takes, undisturbed, on a new engine. */
async function spanOf(
  backend: string | readonly string[],
  work: Work,
  count: number,
  before: Options['before'],
): Promise<number> {
  const key = `${backend} ${work.name} ${count}`
  let span = spans.get(key)
  if (span === undefined) {
    await using engine = await createEngine({ backend, threads: 2 })
    await before?.(engine)
    const start = performance.now()
    await work(engine, count)
    span = performance.now() - start
    spans.set(key, span)
  }
  return span
}

export interface Options {
  readonly signal?: AbortSignal
  readonly threads?: number
  /** A call to make before the work, undisturbed. */
  readonly before?: (engine: Engine) => Promise<unknown>
}

/** The outcome of `work` if something happens at a random moment of it. */
export async function interrupted(
  backend: string | readonly string[],
  work: Work,
  count: number,
  random: () => number,
  happen: (engine: Engine) => void | Promise<void>,
  options: Options = {},
): Promise<Outcome> {
  const moment = random() * (await spanOf(backend, work, count, options.before))
  const disturb = async (engine: Engine) => {
    await pause(moment)
    await happen(engine)
  }
  return disturbed(backend, work, count, disturb, options)
}

/** After this many milliseconds, no answer is expected any more. */
const patience = 120_000

/** The outcome of `work` on a new engine of these backends, while `disturb` acts. */
export async function disturbed(
  backend: string | readonly string[],
  work: Work,
  count: number,
  disturb: (engine: Engine) => void | Promise<void>,
  options: Options = {},
): Promise<Outcome> {
  const truth = await truthOf(work, count)
  const engine = await createEngine({ backend, threads: options.threads ?? 2 })
  let timer: ReturnType<typeof setTimeout> | undefined
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('HANG')), patience)
  })
  try {
    await options.before?.(engine)
    const working = work(engine, count, options.signal)
    const disturbing = disturb(engine)
    const done = await Promise.race([working, hang])
    await disturbing
    return judged(done, truth)
  } catch (error) {
    return refused(error, options.signal)
  } finally {
    clearTimeout(timer)
    engine.dispose()
  }
}

function judged({ numbers, backend, recoveries }: Done, truth: Float32Array): Outcome {
  const scale = truth.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  const off = numbers.reduce((most, x, n) => Math.max(most, Math.abs(x - (truth[n] ?? Number.NaN))), 0) / scale
  if (numbers.length !== truth.length || !(off < 1e-4)) return { kind: 'bad', note: `wrong by ${off} on ${backend}` }
  return { kind: recoveries.length > 0 ? 'recovered' : 'correct', note: backend }
}

/** Runs until two threads take part. Workers start and are timed while the first runs go on without them. */
export async function useWorkers(engine: Engine, count: number): Promise<void> {
  for (let n = 0; n < 100; n++) {
    const { report } = await engine.run(accelerations(law), points(count))
    if (report.variant.endsWith('2 threads')) return
  }
  throw new Error('no worker took part in 100 runs')
}

/** The outcome, if the fault really happened; otherwise the attempt proves nothing. */
export const induced = (happened: boolean, outcome: Outcome): Outcome =>
  happened
    ? outcome
    : { kind: 'bad', note: `the fault was not induced; the outcome was "${outcome.kind}", ${outcome.note}` }

const typed = [
  'ExpressionError',
  'UnsupportedWorkloadError',
  'BackendUnavailableError',
  'NoBackendError',
  'DeviceLostError',
  'DivergedError',
]

/** An error that names the expected value or the impossible action, or the reason of the caller's own signal. */
export function refused(error: unknown, signal?: AbortSignal): Outcome {
  if (signal?.aborted && error === signal.reason) return { kind: 'rejected', note: 'the reason of the signal' }
  const { name = '', message = String(error) } = Object(error) as Partial<Error>
  const own = typed.includes(name)
  const clear =
    own ||
    /^Cannot (?!read prop|set prop|destructure|convert|access|mix)|" (expected|is|has|of|does not match) /.test(message)
  return {
    kind: clear ? 'rejected' : 'bad',
    note: own ? name : clear ? `${name}: ${message.slice(0, 60)}` : `${name}: ${message}`,
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
