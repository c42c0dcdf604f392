// Three quarters of the suite for all backends, on Dawn in Node with the software GPU. The browser runs a sixth, and Deno, where a case
// takes longest, a twelfth.

import { webgpu } from '@manybody/backend-webgpu'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, test } from 'vitest'
import { sharing } from '../support/share.ts'

await describeConformance({ describe, test: sharing(test, [0, 1, 3, 4, 6, 7, 9, 10, 11], 12), afterAll }, webgpu(), {
  required: true,
})
