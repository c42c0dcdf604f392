// WebGL1, on a page without WebGL2 as on an old device, passes an eighth of the suite, which no other environment runs, and the
// checks of arrays, runs and the device itself.

import { describeConformance } from '@manybody/conformance'
import { backends } from 'manybody'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { webglGaps } from '../support/gaps.ts'
import { arraysAndRuns, sharing } from '../support/share.ts'

const [webgl] = backends().filter(({ name }) => name === 'webgl')
if (!webgl) throw new Error('"backends" expected one named webgl, got none')

type GetContext = (kind: string, attributes?: unknown) => unknown
const getContext = OffscreenCanvas.prototype.getContext as GetContext
vi.spyOn(OffscreenCanvas.prototype, 'getContext').mockImplementation(function (
  this: OffscreenCanvas,
  kind: string,
  attributes?: unknown,
) {
  return kind === 'webgl2' ? null : getContext.call(this, kind, attributes)
} as never)

test('the device is one of WebGL1', async () => {
  expect(await webgl.probe()).toMatchObject({ available: true, features: expect.arrayContaining(['webgl1']) })
})

await describeConformance({ describe, test: sharing(test, 6, 8, arraysAndRuns), afterAll }, webgl, {
  required: true,
  gaps: webglGaps,
})
