// WebGL, through gpu.js on the software rasteriser, passes the half of the suite that Node does not run.

import { describeConformance } from '@manybody/conformance'
import { backends } from 'manybody'
import { afterAll, describe, test } from 'vitest'
import { webglGaps } from '../support/gaps.ts'
import { sharing } from '../support/share.ts'

const [webgl] = backends().filter(({ name }) => name === 'webgl')
if (!webgl) throw new Error('"backends" expected one named webgl, got none')

await describeConformance({ describe, test: sharing(test, 1, 2), afterAll }, webgl, { required: true, gaps: webglGaps })
