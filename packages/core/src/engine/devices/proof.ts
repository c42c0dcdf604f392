/**
 * The proof that a device must pass before it is trusted: a small problem, compared with a plain loop in float64.
 *
 * It finds a driver that computes wrongly, in half precision, or not at all, before a user's results do.
 *
 * @module
 */

import type { Device } from '../../contract/backend.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { bindChecked, checksumOf, open } from '../../problem/loaded-at-once.ts'
import type { Workload } from '../../problem/workloads/workload.ts'
import { proofWorkload } from './proof-workload.ts'

/** Not a multiple of any tile. */
const count = 67

/** Much wider than the bounds of the conformance suite: the proof finds broken devices, not inexact ones. */
const bounds = { f32: 1e-5, f64: 1e-11 } as const

const position = Float32Array.from({ length: 3 * count }, (_, n) => Math.sin(12.9898 * (n + 1)))
const mass = Float32Array.from({ length: count }, (_, n) => 1 + 0.5 * Math.cos(n))

/**
 * Why the device cannot be trusted, or undefined if it can.
 *
 * @param law gravity, softened; by default the law that devices may have compiled ahead
 */
export async function disproof(device: Device, law?: Interaction): Promise<string | undefined> {
  const workload = (!law && (await compiledProof(device))) || (await proofOf(law))
  const { shape, bindings } = bindChecked(workload, { position, mass })
  const support = device.supports(workload, shape)
  if (!support.ok) return `it cannot run the proof, gravity among ${count} points: ${support.reason}`
  const program = await device.prepare(workload, shape)
  try {
    const { acceleration } = await program.run(bindings)
    const error = errorOf(acceleration ?? [], bindings.parameters)
    const bound = bounds[device.info.precision]
    return error <= bound
      ? undefined
      : `it computed gravity among ${count} points with an error of ${error.toExponential(1)}, allowed is ${bound}`
  } finally {
    program.dispose()
  }
}

/** The proof as the device has compiled it ahead. */
async function compiledProof(device: Device): Promise<Workload | undefined> {
  const programs = await device.proof?.()
  if (programs === undefined) return undefined
  const { compiled, ...workload } = proofWorkload
  const backends = { [device.info.backend]: programs }
  const given = { ...workload, compiled: { ...compiled, backends, checksum: '' } }
  return open({ ...given, compiled: { ...given.compiled, checksum: checksumOf(given) } })
}

/** The proof from its law, with the language of laws. */
async function proofOf(given: Interaction | undefined): Promise<Workload> {
  const { typedProof } = await import('./typed-proof.ts')
  return typedProof(given)
}

/** The largest error of a component by the sum of the lengths of its target's terms; infinite if a number is missing or NaN. */
function errorOf(got: ArrayLike<number>, { G = 1, softening = 0 }: Readonly<Record<string, number>>): number {
  let most = 0
  for (let n = 0; n < position.length; n++) {
    const [i, axis] = [n - (n % 3), n % 3]
    let [sum, size] = [0, 0]
    for (let j = 0; j < position.length; j += 3) {
      const along = (k: number) => (position[j + k] as number) - (position[i + k] as number)
      const r2 = along(0) ** 2 + along(1) ** 2 + along(2) ** 2 + softening ** 2
      const factor = (G * (mass[j / 3] as number)) / (r2 * Math.sqrt(r2))
      sum += factor * along(axis)
      size += factor * Math.hypot(along(0), along(1), along(2))
    }
    const error = Math.abs((got[n] ?? Number.NaN) - sum) / size
    most = Number.isNaN(error) ? Number.POSITIVE_INFINITY : Math.max(most, error)
  }
  return most
}
