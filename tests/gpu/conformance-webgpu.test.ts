// The suite that every backend passes, on Dawn in Node with the software GPU.

import { webgpu } from '@manybody/backend-webgpu'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, test } from 'vitest'

await describeConformance({ describe, test, afterAll }, webgpu(), { required: true })
