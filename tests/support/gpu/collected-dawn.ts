// A program that uses Dawn's WebGPU while the garbage collector runs. The test of collected objects starts it with `--expose-gc`.

import { setTimeout } from 'node:timers/promises'
import { findGpu } from '../../../packages/backend-webgpu/src/run/host/gpu.ts'

async function open(): Promise<GPUDevice> {
  const found = await findGpu()
  const device = found.ok ? await (await found.gpu.requestAdapter())?.requestDevice() : undefined
  if (!device) throw new Error('no device')
  return device
}

const { gc } = globalThis as { gc?: () => void }
if (!gc) throw new Error('needs node --expose-gc')
const device = await open()
for (let n = 0; n < 20; n++) {
  gc()
  await setTimeout(5)
}
await device.queue.onSubmittedWorkDone()
console.log('done')
process.exit(0)
