// The reference passes the whole suite, in both precisions.

import { describeConformance } from '@manybody/conformance'
import { reference } from 'manybody'
import { afterAll, describe, test } from 'vitest'

await describeConformance({ describe, test, afterAll }, reference(), { required: true })
