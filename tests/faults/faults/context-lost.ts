// The WebGL context is lost while it works, as drivers and browsers may do.

import type { Fault } from '../fault.ts'
import { loseContext } from '../spies.ts'
import { induced, interrupted, run, simulation } from '../work.ts'

export const contextLost: readonly Fault[] = [run, simulation].map((work) => ({
  name: `context lost, ${work === run ? 'run' : 'simulation'}`,
  how: 'WebGL loses its context at a random moment (`WEBGL_lose_context`)',
  async attempt(random) {
    let lost = false
    const outcome = await interrupted(['webgl', 'cpu-wasm'], work, 600, random, (engine) => {
      lost = loseContext() && engine.device.info.backend === 'webgl'
    })
    return induced(lost, outcome)
  },
}))
