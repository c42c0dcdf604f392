/**
 * Points of three.js, drawn from the buffer of a simulation: nothing is copied, and three.js uploads nothing.
 *
 * three.js has no public way to give an attribute a buffer. This code sets it in the place where the renderer stores its own. Pin the
 * version.
 */

import type { Simulation } from 'manybody'
import { BufferAttribute, BufferGeometry, type Material, Points, type WebGPURenderer } from 'three/webgpu'

/** The renderer's store for data of an attribute. three.js types it as private. */
interface AttributeBuffers {
  get(attribute: BufferAttribute): { buffer?: object | undefined }
  delete(attribute: BufferAttribute): unknown
}

export interface SimulationPoints {
  readonly points: Points
  /** Takes the buffer back from three.js, which would destroy it, and frees the rest. The simulation goes on. */
  dispose(): void
}

/**
 * @param simulation in three dimensions, on WebGPU
 * @param renderer initialised, with the device of the simulation: `new WebGPURenderer({ device })`
 * @throws TypeError if the simulation does not run on WebGPU, or in two dimensions
 */
export async function simulationPoints(
  simulation: Simulation,
  renderer: WebGPURenderer,
  material: Material,
): Promise<SimulationPoints> {
  const backend = renderer.backend as unknown as AttributeBuffers
  const { buffer, count, stride } = await simulation.gpuBuffer('position', (now) => {
    if (now) backend.get(attribute).buffer = now.buffer
  })
  if (stride !== 12) throw new TypeError('"simulation" expected points in three dimensions, got two')
  // The array gives three.js the number of points; it never reads the numbers.
  const attribute = new BufferAttribute(new Float32Array(3 * count), 3)
  backend.get(attribute).buffer = buffer
  const geometry = new BufferGeometry().setAttribute('position', attribute)
  const points = new Points(geometry, material)
  // The bounds would be computed from the unused array.
  points.frustumCulled = false
  return {
    points,
    dispose() {
      backend.delete(attribute)
      geometry.dispose()
    },
  }
}
