// No worker can be started, as under a Content-Security-Policy.

import type { Fault } from '../fault.ts'
import { allow } from '../spies.ts'
import { disturbed, induced, run } from '../work.ts'

export const workersUnavailable: Fault = {
  name: 'workers unavailable',
  how: 'making a worker throws',
  async attempt(random) {
    allow.workers = false
    const before = allow.refused
    try {
      const outcome = await disturbed('cpu-wasm', run, 50 + Math.floor(200 * random()), () => {})
      return induced(allow.refused > before, outcome)
    } finally {
      allow.workers = true
    }
  },
}
