// The suite that every backend passes, on Dawn in Node with the software GPU: two thirds of it. The browser runs the rest.

import { webgpu } from '@manybody/backend-webgpu'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, test } from 'vitest'
import { sharing } from '../support/share.ts'

await describeConformance({ describe, test: sharing(test, [1, 2], 3), afterAll }, webgpu(), {
  required: true,
})
