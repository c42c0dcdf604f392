// The program for every environment. It computes a user's law on each available backend, and compares the results with the reference. The
// law is run both typed and compiled ahead. The program is text, because each bundler, runtime or page takes it in its own way.

import { forces, pairPotential } from 'manybody'
import { compile } from 'manybody/compile'

/** The findings of the program. */
export interface Findings {
  /** Backends that gave the forces of the reference, with the error relative to the largest force. */
  readonly errors: Readonly<Record<string, number>>
  /** The same for the program that was compiled ahead. */
  readonly compiled: Readonly<Record<string, number>>
  /** Why the other backends could not be used. */
  readonly lacking: Readonly<Record<string, string>>
  /** The backend that an engine without options chose, and whether its result is within the error bound. */
  readonly chosen: string
  readonly ok: boolean
}

const energy = '4*depth*(q^14 - q^7); q = (sigma_i + sigma_j)/(2*r)'
const compiled = compile(forces(pairPotential(energy, { parameters: { depth: 2 } })()))

/** A module that exports `findings()`. */
export const program: string = `
import { BackendUnavailableError, createEngine, forces, pairPotential } from 'manybody'
import { createEngine as createRunner } from 'manybody/run'

const mie = pairPotential('${energy}', { parameters: { depth: 1 } })
const filed = JSON.parse(${JSON.stringify(JSON.stringify(compiled))})
const count = 300
const points = {
  position: Float32Array.from({ length: 3 * count }, (_, n) => 8 * ((n * 0.7548776662) % 1)),
  sigma: new Float32Array(count).fill(0.4),
}

async function forceOf(backend) {
  const engine = await createEngine({ backend })
  const { force } = await engine.run(forces(mie({ depth: 2 })), points)
  engine.dispose()
  return force
}

async function compiledForceOf(backend) {
  const engine = await createRunner({ backend })
  const { force } = await engine.run(filed, points)
  engine.dispose()
  return force
}

export async function findings() {
  const expected = await forceOf('reference')
  const scale = Math.max(...expected.map(Math.abs))
  const errorOf = (force) => Math.max(...force.map((f, n) => Math.abs(f - expected[n]))) / scale
  const errors = {}
  const compiled = {}
  const lacking = {}
  for (const backend of ['webgpu', 'webgl', 'cpu-wasm']) {
    try {
      errors[backend] = errorOf(await forceOf(backend))
      compiled[backend] = errorOf(await compiledForceOf(backend))
    } catch (error) {
      if (!(error instanceof BackendUnavailableError)) throw error
      lacking[backend] = error.message
    }
  }
  const engine = await createEngine()
  const { ok } = await engine.verify(forces(mie()), points)
  const chosen = engine.device.info.backend
  engine.dispose()
  return { errors, compiled, lacking, chosen, ok }
}
`
