/**
 * Steps of `engine.simulate` as a user runs them: many at a time, read only at the end. They are judged by the accelerations after one step
 * from the points of the problem, and by the state that the timed steps led to. Points without a mass get mass 1, so that accelerations
 * equal forces.
 */

import {
  type Backend,
  createEngine,
  type EngineOptions,
  leapfrog,
  type PairWorkload,
  type Particles,
  type RunReport,
} from '@manybody/core'
import type { Contender, Results } from '../contender.ts'
import { WrongAnswerError } from '../judge.ts'
import { whoRan } from './who.ts'

/** So short that points move less than by rounding, in float64, too. */
const short = 1e-9
/** Enough steps that the beginning and the end of a run do not count. */
const enough = 500
/** They count neither in a run of this many spans. */
const longest = 10
/** More steps would not make a sample more exact. */
const most = 20_000
/** The kinetic energy may change by this factor. */
const sane = 10
/** Accelerations may differ by this part: float32 rounds, and pairs at the cutoff come and go. */
const rounding = 1e-3

interface SimulationOptions extends Pick<EngineOptions, 'precision' | 'threads'> {
  /** The time step of the timed simulation. */
  readonly dt?: number
  /**
   * How many steps are timed together; by default as many as a sample needs. Rows then have the variant of the forces, by which
   * `compare-records` finds those of older records.
   */
  readonly together?: number
}

/** @param name the name in rows */
export function simulationContender(
  name: string,
  backend: Backend,
  { dt = short, together, ...open }: SimulationOptions = {},
): Contender {
  return {
    name,
    about: { name },
    async prepare({ workload, particles, targets, dimension }) {
      const engine = await createEngine({ backends: [backend], crossover: false, ...open })
      const { law, domain, results } = workload as PairWorkload
      const [result = ''] = results
      const { boundary, cutoff } = domain
      const mass = new Float32Array(targets).fill(1)
      const velocity = new Float32Array(targets * dimension)
      const within = { boundary, ...(cutoff && { cutoff: cutoff.distance }) }
      const simulate = (dt: number, start: object) =>
        engine.simulate({ law, domain: within, integrator: leapfrog, dt, particles: { mass, ...start } as never })
      const { report }: { readonly report: RunReport } = await engine.run(workload, particles as Particles)
      const simulation = await simulate(dt, { velocity, ...particles })
      const variant = together === undefined ? `leapfrog, ${report.variant}` : report.variant
      let once = Infinity
      const steps = async (count: number): Promise<number> => {
        const start = performance.now()
        await simulation.step(count)
        once = (performance.now() - start) / count
        return once
      }
      return {
        who: {
          ...whoRan(name, { ...report, variant }),
          ...(open.threads && { threads: open.threads }),
        },
        accuracy: report,
        resident: true,
        async run() {
          await steps(1)
          return undefined
        },
        async sample(span) {
          const inSpan = span / once
          const count = Math.ceil(Math.max(1, inSpan, Math.min(enough, longest * inSpan)))
          return { call: await steps(together ?? Math.min(most, count)), parts: undefined }
        },
        async results(): Promise<Results> {
          const [position, moved, timed] = [
            await simulation.read('position'),
            await simulation.read('velocity'),
            await simulation.read('acceleration'),
          ]
          const there: object = await engine.run(workload, { ...particles, position } as Particles)
          requireNear(timed, (there as Results)[result] ?? [])
          requireSane(squares(moved), squares((particles as Moving).velocity ?? velocity))
          const other = await simulate(short, { ...particles, velocity })
          await other.step(1)
          const acceleration = await other.read('acceleration')
          other.dispose()
          return { [result]: acceleration }
        },
        dispose() {
          simulation.dispose()
          engine.dispose()
        },
      }
    },
  }
}

type Moving = { readonly velocity?: Float32Array }

const squares = (numbers: ArrayLike<number>): number => Array.from(numbers).reduce((sum, x) => sum + x * x, 0)

/** @throws WrongAnswerError if steps did not compute the accelerations of their points */
function requireNear(timed: ArrayLike<number>, there: ArrayLike<number>): void {
  const [off, all] = [squares(Array.from(timed, (x, n) => x - (there[n] ?? Number.NaN))), squares(there)]
  if (!(off <= rounding ** 2 * all))
    throw new WrongAnswerError(`after the timed steps, acceleration is off by ${Math.sqrt(off / all).toExponential(1)}`)
}

/** @throws WrongAnswerError if points that moved at the start have lost or gained much energy */
function requireSane(now: number, start: number): void {
  if (start > 0 && !(now > start / sane && now < start * sane))
    throw new WrongAnswerError(
      `the timed steps changed the kinetic energy by a factor of ${(now / start).toPrecision(3)}`,
    )
}
