// WebGL2 and WebGL1 divide the suite: Node runs half of it on WebGL2, in contexts from the caller, and a quarter on WebGL1, and the browser an
// eighth on each. An eighth of the cases of WebGL1 also runs on WebGL2 with the shaders for graphics cards.
// Each runs the checks of arrays, runs and the device itself.

import { webgl } from '@manybody/backend-webgl'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, expect, test } from 'vitest'
import { angleContexts, likeHardware } from '../support/angle.ts'
import { webglGaps } from '../support/gaps.ts'
import { arraysAndRuns, sharing } from '../support/share.ts'

for (const version of [2, 1] as const) {
  const backend = webgl({ context: await angleContexts(version) })
  const runner = { describe, test: sharing(test, version === 2 ? [0, 1, 2, 3] : [4, 5], 8, arraysAndRuns), afterAll }
  describe(`WebGL${version}`, () => describeConformance(runner, backend, { required: true, gaps: webglGaps }))
}

const hardware = webgl({ context: await likeHardware() })
test('a context that gives a graphics card as its renderer is taken for hardware', async () => {
  expect(await hardware.probe()).toMatchObject({ available: true, device: 'a graphics card', kind: 'hardware' })
})
describe('WebGL2 as on a graphics card', () =>
  describeConformance({ describe, test: sharing(test, 5, 8, arraysAndRuns), afterAll }, hardware, {
    required: true,
    gaps: webglGaps,
  }))
