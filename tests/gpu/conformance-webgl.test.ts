// WebGL in Node, in contexts that the caller provides, passes the whole suite.

import { webgl } from '@manybody/backend-webgl'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'

const context = (await angleContexts(2)) as () => WebGL2RenderingContext
await describeConformance({ describe, test, afterAll }, webgl({ context }), { required: true })
