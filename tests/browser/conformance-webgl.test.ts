// WebGL, through gpu.js on the software rasteriser, passes an eighth of the suite, which no other environment runs, and the
// checks of arrays, runs and the device itself.

import { describeConformance } from '@manybody/conformance'
import { backends } from 'manybody'
import { afterAll, describe, test } from 'vitest'
import { webglGaps } from '../support/gaps.ts'
import { arraysAndRuns, sharing } from '../support/share.ts'

const [webgl] = backends().filter(({ name }) => name === 'webgl')
if (!webgl) throw new Error('"backends" expected one named webgl, got none')

await describeConformance({ describe, test: sharing(test, 7, 8, arraysAndRuns), afterAll }, webgl, {
  required: true,
  gaps: webglGaps,
})
