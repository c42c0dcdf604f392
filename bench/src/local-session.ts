/** A session right here: in Node, or inside of a page. */

import { backends } from 'manybody'
import { type BackendSpec, backendContenders, Devices } from './contenders/backend.ts'
import { measure, type Pace } from './measure.ts'
import { problemOf } from './problem.ts'
import type { Environment } from './record.ts'
import type { Session } from './session.ts'

export function localSession(environment: Environment, specs: readonly BackendSpec[]): Session {
  const devices = new Devices()
  const contenders = backendContenders(specs, backends(), devices)
  const paces = new Map<string, Pace>()
  return {
    environment,
    measure(spec, options) {
      // Each law has a pace of its own.
      const law = JSON.stringify(spec.what)
      const pace = paces.get(law) ?? new Map()
      paces.set(law, pace)
      return measure(problemOf(spec), contenders, { environment: environment.name, pace, ...options })
    },
    dispose: () => devices.dispose(),
  }
}
