/** gpu.js in Node, from the packages of this folder, on the processor. */

import { availableParallelism } from 'node:os'
import { load } from '../packages.ts'
import { processor } from '../processor.ts'
import type { GpuJs, GpuJsHost } from './gpu-js.ts'

export const gpuJsInNode: GpuJsHost = {
  load: async () => (await load<{ readonly GPU: GpuJs }>('gpu.js')).GPU,
  threads: availableParallelism(),
  deviceOf: async () => ({ device: processor(), kind: 'cpu' }),
}
