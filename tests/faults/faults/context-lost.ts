// The context of WebGL is lost while it works, as drivers and browsers do to it.

import type { Fault } from '../fault.ts'
import { loseContext } from '../spies.ts'
import { interrupted, run, simulation } from '../work.ts'

export const contextLost: readonly Fault[] = [run, simulation].map((work) => ({
  name: `context lost, ${work === run ? 'run' : 'simulation'}`,
  how: 'WebGL loses its context at a random moment (`WEBGL_lose_context`)',
  attempt: (random) => interrupted(['webgl', 'cpu-wasm'], work, 600, random, () => loseContext()),
}))
