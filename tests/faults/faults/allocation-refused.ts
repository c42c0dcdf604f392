// The memory of WebAssembly does not grow any further.

import type { Fault } from '../fault.ts'
import { disturbed, run, simulation } from '../work.ts'

const { grow } = WebAssembly.Memory.prototype

export const allocationRefused: readonly Fault[] = [run, simulation].map((work) => ({
  name: `allocation refused, ${work === run ? 'run' : 'simulation'}`,
  how: '`WebAssembly.Memory.grow` starts to throw at a random call',
  quick: true,
  async attempt(random) {
    let left = Math.floor(4 * random())
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (left-- <= 0) throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded')
      return grow.call(this, pages)
    }
    try {
      return await disturbed('cpu-wasm', work, 3000, () => {}, { threads: 1 })
    } catch (error) {
      // The engine itself could not be opened.
      const { name, message } = error as Error
      return { kind: name === 'BackendUnavailableError' ? 'rejected' : 'bad', note: `${name}: ${message}` }
    } finally {
      WebAssembly.Memory.prototype.grow = grow
    }
  },
}))
