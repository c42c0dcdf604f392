/** A session right here: in Node, or inside of a page. */

import { backends } from 'manybody'
import type { Contender, Problem } from './contender.ts'
import { type BackendSpec, backendContenders, Devices } from './contenders/backend.ts'
import { measure, type Pace } from './measure.ts'
import { problemOf } from './problem.ts'
import type { Environment } from './record.ts'
import type { Session } from './session.ts'

/** Of the backends. */
export function localSession(environment: Environment, specs: readonly BackendSpec[]): Session {
  const devices = new Devices()
  const contenders = backendContenders(specs, backends(), devices)
  return sessionOf(
    environment,
    () => contenders,
    () => devices.dispose(),
  )
}

/** Of whichever contenders take part in a problem. */
export function sessionOf(
  environment: Environment,
  contendersOf: (problem: Problem) => readonly Contender[],
  dispose: () => Promise<void>,
): Session {
  const paces = new Map<string, Pace>()
  return {
    environment,
    measure(spec, options) {
      // Each law has a pace of its own.
      const law = JSON.stringify(spec.what)
      const pace = paces.get(law) ?? new Map()
      paces.set(law, pace)
      const problem = problemOf(spec)
      return measure(problem, contendersOf(problem), { environment: environment.name, pace, ...options })
    },
    dispose,
  }
}
