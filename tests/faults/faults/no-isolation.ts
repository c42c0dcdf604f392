// A page without the headers that shared memory needs.

import type { Fault } from '../fault.ts'
import { disturbed, run, simulation } from '../work.ts'

export const noIsolation: readonly Fault[] = [run, simulation].map((work) => ({
  name: `no isolation, ${work === run ? 'run' : 'simulation'}`,
  how: 'the page is not cross-origin isolated, so threads compute on copies',
  isolated: false,
  attempt: (random) => disturbed('cpu-wasm', work, 50 + Math.floor(200 * random()), () => {}),
}))
