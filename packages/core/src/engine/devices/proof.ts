/**
 * The proof that a device must pass before it is trusted: a small problem, compared with the reference.
 *
 * It finds a driver that computes wrongly, in half precision, or not at all, before a user's results do.
 *
 * @module
 */
import type { Device } from '../../backend.ts'
import { errorNorms } from '../../error-analysis/error-norms.ts'
import type { Interaction } from '../../interactions/interaction.ts'
import { bind } from '../../workloads/bind.ts'
import { accelerations } from '../../workloads/pair.ts'
import { truthOf } from '../truth.ts'

/** Not a multiple of any tile. */
const count = 67

/** Much wider than the bounds of the conformance suite: the proof finds broken devices, not inexact ones. */
const bounds = { f32: 1e-5, f64: 1e-11 } as const

/**
 * Why the device cannot be trusted, or undefined if it can.
 *
 * @param gravity softened
 */
export async function disproof(device: Device, gravity: Interaction): Promise<string | undefined> {
  const workload = accelerations(gravity)
  const position = Float32Array.from({ length: 3 * count }, (_, n) => Math.sin(12.9898 * (n + 1)))
  const mass = Float32Array.from({ length: count }, (_, n) => 1 + 0.5 * Math.cos(n))
  const { shape, bindings } = bind(workload, { position, mass })
  const support = device.supports(workload, shape)
  if (!support.ok) return `it cannot run the proof, gravity among ${count} points: ${support.reason}`
  const program = await device.prepare(workload, shape)
  try {
    const { acceleration } = await program.run(bindings)
    const truth = truthOf(workload, shape, bindings)
    const { max } = errorNorms(acceleration ?? [], truth.results.acceleration ?? [], truth.scales.acceleration ?? [])
    const bound = bounds[device.info.precision]
    return max <= bound
      ? undefined
      : `it computed gravity among ${count} points with an error of ${max.toExponential(1)}, allowed is ${bound}`
  } finally {
    program.dispose()
  }
}
