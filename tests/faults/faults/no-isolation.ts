// A page without the headers that shared memory needs.

import type { Engine } from 'manybody'
import type { Fault } from '../fault.ts'
import { disturbed, induced, run, useWorkers } from '../work.ts'

/** With fewer points, the workers are not used. */
const count = 20_000

export const noIsolation: Fault = {
  name: 'no isolation, run',
  how: 'the page is not cross-origin isolated, so threads compute on copies, as they do with 20,000 points',
  isolated: false,
  async attempt() {
    let copied = false
    const before = async (engine: Engine) => {
      await useWorkers(engine, count)
      copied = engine.device.info.features.includes('copied-memory')
    }
    const outcome = await disturbed('cpu-wasm', run, count, () => {}, { before })
    return induced(copied, outcome)
  },
}
