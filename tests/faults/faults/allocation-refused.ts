// Memory runs out: WebAssembly's memory does not grow, and WebGPU gives no buffer.

import type { Fault, Outcome } from '../fault.ts'
import { disturbed, induced, run, simulation, type Work } from '../work.ts'

const { grow } = WebAssembly.Memory.prototype

/** The outcome of work on an engine that may fail to open for lack of memory. */
async function outcomeOf(backend: string, work: Work): Promise<Outcome> {
  try {
    return await disturbed(backend, work, 3000, () => {}, { threads: 1 })
  } catch (error) {
    // The engine itself could not be opened.
    const { name, message } = error as Error
    return { kind: name === 'BackendUnavailableError' ? 'rejected' : 'bad', note: `${name}: ${message}` }
  }
}

const counts = new Map<string, number>()

/**
 * The outcome of work if one call and all later ones are refused. The first refused call is chosen among all calls of the work.
 *
 * @param count makes the calls counted, and refused from some number on; returns a function that undoes this
 */
async function refusing(
  backend: string,
  work: Work,
  random: () => number,
  count: (refuses: () => boolean) => () => void,
): Promise<Outcome> {
  const key = `${backend} ${work.name}`
  let calls = 0
  const counted = async (most: number): Promise<Outcome> => {
    calls = 0
    const undo = count(() => ++calls > most)
    try {
      return await outcomeOf(backend, work)
    } finally {
      undo()
    }
  }
  if (!counts.has(key)) {
    // The first engine of a page also proves its device.
    for (let n = 0; n < 2; n++) await counted(Number.POSITIVE_INFINITY)
    counts.set(key, calls)
  }
  const most = Math.floor((counts.get(key) ?? 0) * random())
  const outcome = await counted(most)
  return induced(calls > most, outcome)
}

function countGrowth(refuses: () => boolean): () => void {
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (refuses()) throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded')
    return grow.call(this, pages)
  }
  return () => {
    WebAssembly.Memory.prototype.grow = grow
  }
}

function countBuffers(refuses: () => boolean): () => void {
  const { createBuffer } = GPUDevice.prototype
  GPUDevice.prototype.createBuffer = function (descriptor) {
    return createBuffer.call(this, refuses() ? { ...descriptor, size: 2 ** 50 } : descriptor)
  }
  return () => {
    GPUDevice.prototype.createBuffer = createBuffer
  }
}

const ofWebAssembly: readonly Fault[] = [run, simulation].map((work) => ({
  name: `allocation refused, ${work === run ? 'run' : 'simulation'}`,
  how: '`WebAssembly.Memory.grow` starts to throw at a random one of its calls',
  attempt: (random) => refusing('cpu-wasm', work, random, countGrowth),
}))

const ofWebGpu: readonly Fault[] = [run, simulation].map((work) => ({
  name: `allocation refused, webgpu, ${work === run ? 'run' : 'simulation'}`,
  how: '`GPUDevice.createBuffer` starts to fail at a random one of its calls, as it does for buffers that are too large',
  attempt: (random) => refusing('webgpu', work, random, countBuffers),
}))

export const allocationRefused: readonly Fault[] = [...ofWebAssembly, ...ofWebGpu]
