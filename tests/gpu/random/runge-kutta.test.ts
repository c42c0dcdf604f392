// A user's integrator that stores extra vectors, on the software GPU.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { type Backend, createEngine } from '@manybody/core'
import { expect, test } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { errorAfter } from '../../support/random/runge-kutta.ts'

test.each<[string, () => Promise<Backend>]>([
  ['webgpu', async () => webgpu()],
  ['webgl', async () => webgl({ context: await angleContexts(2) })],
])('Runge-Kutta stays on its orbit: %s', async (_, backend) => {
  await using engine = await createEngine({ backends: [await backend()] })
  for (const dimension of [2, 3] as const) expect(await errorAfter(engine, dimension, 50, 4)).toBeLessThan(1e-4)
})
