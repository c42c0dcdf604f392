// A worker in a separate process, as fast as it is told to be.
//   worker.ts SERVER SPEED     pairs in a millisecond, or the name of a backend

import { joinCluster } from '@manybody/cluster'
import { simulated } from './simulated.ts'

const [servers = '', speed = ''] = process.argv.slice(2)
const device = Number.isNaN(Number(speed)) ? { backend: speed, threads: 1 } : { backends: [simulated(Number(speed))] }
await joinCluster({ servers, cacheBytes: 2 ** 31, ...device })
process.stdout.write('waits\n')
