// A thousand workers in one process, which share one device, one cache and the latest job. The coordinator is another process,
// so that only messages and the scheduling of blocks are measured.
//   thousand-workers.ts SERVER SPEED     pairs per millisecond of each worker

import { ByteCache } from '../../../packages/cluster/src/wire/cache.ts'
import { link } from '../../../packages/cluster/src/wire/link.ts'
import { Devices } from '../../../packages/cluster/src/worker/devices.ts'
import { LatestJob } from '../../../packages/cluster/src/worker/latest-job.ts'
import { ClusterWorker } from '../../../packages/cluster/src/worker/worker.ts'
import { simulated } from './simulated.ts'

const [servers = '', speed = ''] = process.argv.slice(2)
const devices = new Devices({ backends: [simulated(Number(speed))] })
const { info } = await devices.device('f32')
const parts = { devices, info, cache: new ByteCache(2 ** 30), latestJob: new LatestJob() }
const workers: ClusterWorker[] = []
while (workers.length < 1000) workers.push(new ClusterWorker(await link({ servers }), parts, () => {}))
process.stdout.write('wait\n')
