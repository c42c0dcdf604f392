// A twelfth of the suite, which Node does not run, and the checks of arrays, runs and the device itself, in a page of headless Chromium
// with its software GPU.

import { webgpu } from '@manybody/backend-webgpu'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, test } from 'vitest'
import { arraysAndRuns, sharing } from '../support/share.ts'

await describeConformance({ describe, test: sharing(test, 8, 12, arraysAndRuns), afterAll }, webgpu(), {
  required: true,
})
