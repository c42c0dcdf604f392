// Once a call has returned its promise, overwriting its arrays does not change the answer, on the software GPU.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { type Backend, createEngine } from '@manybody/core'
import { expect, test } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { disturbed } from '../../support/random/overwritten.ts'

test.each<[string, () => Promise<Backend>]>([
  ['webgpu', async () => webgpu()],
  ['webgl', async () => webgl({ context: await angleContexts(2) })],
])('changing arrays during a call does not change the results of %s', async (_, backend) => {
  await using engine = await createEngine({ backends: [await backend()] })
  expect(await disturbed(engine)).toEqual([])
})
