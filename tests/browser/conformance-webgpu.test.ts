// The suite that every backend passes, in a page of headless Chromium with its software GPU.

import { webgpu } from '@manybody/backend-webgpu'
import { describeConformance } from '@manybody/conformance'
import { afterAll, describe, test } from 'vitest'

await describeConformance({ describe, test, afterAll }, webgpu(), { required: true })
