/** Shared code of the commands that run our backends: problems from options, and environments with their backends. */

import type { Options } from '../arguments/options.ts'
import type { Contender } from '../contender.ts'
import { aboutOf, type BackendSpec } from '../contenders/backend.ts'
import { BadInputError } from '../errors.ts'
import { chromiumSession } from '../node/chromium-session.ts'
import { nodeEnvironment } from '../node/environment.ts'
import { type ProblemSpec, problemOf, sketchOf } from '../problem.ts'
import type { Row } from '../record.ts'
import { localSession } from '../sessions/local-session.ts'
import type { Session } from '../sessions/session.ts'
import { refusedRow } from '../timing/measure.ts'

type EnvironmentName = 'node' | 'chromium'

/** Node has no WebGL, and the reference is the same everywhere. */
const backendsIn: Readonly<Record<EnvironmentName, readonly string[]>> = {
  node: ['reference', 'cpu-wasm', 'webgpu'],
  chromium: ['cpu-wasm', 'webgpu', 'webgl'],
}

export interface Entrants {
  /** The contenders that a backend has in an environment; by default, one that chooses its plan itself. */
  specsOf?(backend: string, environment: EnvironmentName): readonly BackendSpec[]
  /** Further contenders in Node. */
  readonly beside?: readonly Contender[]
}

/** The requested environments that have one of the requested backends. */
export async function openBackends(
  { environments, backends, browser }: Pick<Options, 'environments' | 'backends' | 'browser'>,
  { specsOf = (backend) => [{ backend }], beside = [] }: Entrants = {},
): Promise<readonly Session[]> {
  const specs = environments.map((environment) => {
    const here = backends.filter((backend) => backendsIn[environment].includes(backend))
    return { environment, specs: here.flatMap((backend) => specsOf(backend, environment)) }
  })
  const used = specs.filter(({ specs }) => specs.length > 0)
  if (used.length === 0) throw new BadInputError(`${backends.join(', ')} runs in none of ${environments.join(', ')}`)
  return Promise.all(
    used.map(({ environment, specs }) =>
      environment === 'node'
        ? localSession(nodeEnvironment(), specs, beside)
        : browserOrReason(specs, () => chromiumSession(specs, browser)),
    ),
  )
}

/** A browser that cannot be started, or ends in the middle, loses only its own rows. */
export async function browserOrReason(specs: readonly BackendSpec[], open: () => Promise<Session>): Promise<Session> {
  const refused = (environment: string, spec: ProblemSpec, reason: string): readonly Row[] =>
    specs.map(({ backend, ...options }) =>
      refusedRow(environment, sketchOf(spec), { name: backend, about: aboutOf(backend, options) }, reason),
    )
  try {
    const session = await open()
    const { name } = session.environment
    return {
      ...session,
      measure: (spec, options) =>
        session
          .measure(spec, options)
          .catch((error: unknown) => refused(name, spec, `the page ended: ${firstLine(error)}`)),
    }
  } catch (error) {
    if (error instanceof BadInputError) throw error
    const [name, reason] = ['Chromium', `no browser could be started: ${firstLine(error)}`]
    return {
      environment: { name, isolated: false, threads: 0, timerResolution: 0, versions: {} },
      measure: async (spec) => refused(name, spec, reason),
    }
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.replace(/^browserType\.launch: /, '') ?? ''

/** Each law or task at each size. @throws BadInputError if an expression does not parse */
export function problemsOf({ laws, expression, tasks, sizes, seed }: Options): readonly ProblemSpec[] {
  const whats = tasks
    ? tasks.map((task) => ({ task }))
    : expression === undefined
      ? laws.map((law) => ({ law }))
      : [{ expression }]
  try {
    for (const what of tasks ? [] : whats) problemOf({ what, count: 8, seed })
  } catch (error) {
    // The message shows the text with a caret below it. This line names the fault and its place.
    throw new BadInputError(firstLine(error))
  }
  return whats.flatMap((what) => sizes.map((count) => ({ what, count, seed })))
}
