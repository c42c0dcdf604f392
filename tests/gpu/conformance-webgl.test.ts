// WebGL in Node, in contexts that the caller provides, passes the whole suite: WebGL2, and WebGL1.

import { webgl } from '@manybody/backend-webgl'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'

for (const version of [2, 1] as const) {
  const backend = webgl({ context: await angleContexts(version) })
  describe(`WebGL${version}`, () => describeConformance({ describe, test, afterAll }, backend, { required: true }))
}
