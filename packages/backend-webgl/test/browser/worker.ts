// Opens the backend in a worker and counts the other points, so that a test can check them.

import { countWithin } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { webgl } from '../../src/index.ts'
import { cloud } from './device.ts'

const device = await webgl().open()
const workload = countWithin(Number.POSITIVE_INFINITY)
const { shape, bindings } = bind(workload, cloud(10))
const { count } = await (await device.prepare(workload, shape)).run(bindings)
postMessage({ backend: device.info.backend, counts: [...new Set(count)] })
