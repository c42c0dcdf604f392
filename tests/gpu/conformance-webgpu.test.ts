// Two thirds of the suite for all backends, on Dawn in Node with the software GPU. The browser and Deno run a sixth each.

import { webgpu } from '@manybody/backend-webgpu'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, test } from 'vitest'
import { sharing } from '../support/share.ts'

await describeConformance({ describe, test: sharing(test, [0, 1, 3, 4], 6), afterAll }, webgpu(), {
  required: true,
})
