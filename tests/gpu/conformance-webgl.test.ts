// WebGL2 and WebGL1 in Node, in contexts from the caller, pass half of the suite each. The browser runs the other halves.

import { webgl } from '@manybody/backend-webgl'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'
import { webglGaps } from '../support/gaps.ts'
import { sharing } from '../support/share.ts'

for (const version of [2, 1] as const) {
  const backend = webgl({ context: await angleContexts(version) })
  const runner = { describe, test: sharing(test, version === 2 ? 0 : 1, 2), afterAll }
  describe(`WebGL${version}`, () => describeConformance(runner, backend, { required: true, gaps: webglGaps }))
}
