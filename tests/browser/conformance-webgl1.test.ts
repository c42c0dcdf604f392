// WebGL1, as a page that knows no other asks for it, passes the suite.

import { describeConformance } from '@manybody/conformance'
import { backends } from 'manybody'
import { afterAll, describe, expect, test, vi } from 'vitest'

const [webgl] = backends().filter(({ name }) => name === 'webgl')
if (!webgl) throw new Error('"backends" expected one named webgl, got none')

const getContext = OffscreenCanvas.prototype.getContext
vi.spyOn(OffscreenCanvas.prototype, 'getContext').mockImplementation(function (this: OffscreenCanvas, kind: string) {
  return kind === 'webgl2' ? null : getContext.call(this, kind as 'webgl')
} as never)

test('the device says that it is WebGL1', async () => {
  expect(await webgl.probe()).toMatchObject({ available: true, features: expect.arrayContaining(['webgl1']) })
})

await describeConformance({ describe, test, afterAll }, webgl, { required: true })
