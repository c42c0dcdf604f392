// A worker that takes two calls at a time, as one with a GPU does, and never ends them. Says so when a call has begun.
//   holding-worker.ts SERVER NAME

import { joinCluster } from '@manybody/cluster'
import { asGpu } from './as-gpu.ts'

const [servers = '', name = ''] = process.argv.slice(2)
const hold = () => {
  process.stdout.write('begins\n')
  return new Promise<void>(() => {})
}
await joinCluster({ servers, name, backends: [asGpu(hold)] })
process.stdout.write('waits\n')
