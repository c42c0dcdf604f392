// There is no more memory: that of WebAssembly does not grow, and WebGPU gives no buffer.

import type { Fault, Outcome } from '../fault.ts'
import { disturbed, run, simulation, type Work } from '../work.ts'

const { grow } = WebAssembly.Memory.prototype

/** The outcome of work on an engine that may not open for want of memory. */
async function outcomeOf(backend: string, work: Work): Promise<Outcome> {
  try {
    return await disturbed(backend, work, 3000, () => {}, { threads: 1 })
  } catch (error) {
    // The engine itself could not be opened.
    const { name, message } = error as Error
    return { kind: name === 'BackendUnavailableError' ? 'rejected' : 'bad', note: `${name}: ${message}` }
  }
}

const ofWebAssembly: readonly Fault[] = [run, simulation].map((work) => ({
  name: `allocation refused, ${work === run ? 'run' : 'simulation'}`,
  how: '`WebAssembly.Memory.grow` starts to throw at a random call',
  async attempt(random) {
    let left = Math.floor(4 * random())
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (left-- <= 0) throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded')
      return grow.call(this, pages)
    }
    try {
      return await outcomeOf('cpu-wasm', work)
    } finally {
      WebAssembly.Memory.prototype.grow = grow
    }
  },
}))

const ofWebGpu: readonly Fault[] = [run, simulation].map((work) => ({
  name: `allocation refused, webgpu, ${work === run ? 'run' : 'simulation'}`,
  how: '`GPUDevice.createBuffer` starts to fail at a random call, as it does for buffers that are too large',
  async attempt(random) {
    const { createBuffer } = GPUDevice.prototype
    let left = Math.floor(24 * random())
    GPUDevice.prototype.createBuffer = function (descriptor) {
      return createBuffer.call(this, left-- > 0 ? descriptor : { ...descriptor, size: 2 ** 50 })
    }
    try {
      return await outcomeOf('webgpu', work)
    } finally {
      GPUDevice.prototype.createBuffer = createBuffer
    }
  },
}))

export const allocationRefused: readonly Fault[] = [...ofWebAssembly, ...ofWebGpu]
