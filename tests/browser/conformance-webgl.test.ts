// WebGL, through gpu.js on the software rasteriser, passes the whole suite.

import { describeConformance } from '@manybody/conformance'
import { backends } from 'manybody'
import { afterAll, describe, test } from 'vitest'

const [webgl] = backends().filter(({ name }) => name === 'webgl')
if (!webgl) throw new Error('"backends" expected one named webgl, got none')

await describeConformance({ describe, test, afterAll }, webgl, { required: true })
