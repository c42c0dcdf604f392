// The suite for all backends, on Dawn in Node with the software GPU, but for the twelfth that the browser runs.

import { webgpu } from '@manybody/backend-webgpu'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, test } from 'vitest'
import { sharing } from '../support/share.ts'

await describeConformance(
  { describe, test: sharing(test, [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11], 12), afterAll },
  webgpu(),
  {
    required: true,
  },
)
