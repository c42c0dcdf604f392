// A program that ends with one device open and another disposed of. The test of such programs starts it.

import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { openHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'

/** Opens a device that prints a line when it is destroyed. */
async function opened() {
  const host = await openHost(await findAdapter({}))
  const destroy = host.device.destroy.bind(host.device)
  host.device.destroy = () => {
    console.log(state)
    destroy()
  }
  return host
}

let state = 'destroyed by dispose'
const [one] = [await opened(), await opened()]
one.dispose()
state = 'destroyed at the end'
process.exit(3)
