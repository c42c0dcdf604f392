/**
 * The backend: finds workers on a NATS server, proves each, and opens them as one device.
 *
 * @module
 */
import {
  type Backend,
  BackendUnavailableError,
  type Device,
  gravity,
  type OpenOptions,
  type Probe,
} from '@manybody/core'
import { finite, flag, held, onlyNamed, whole } from '@manybody/core/backend'
import { disproof } from '@manybody/core/judge'
import { backends } from 'manybody'
import { describeWorkers, leastKind } from './coordinator/describe-workers.ts'
import { Cluster } from './coordinator/device.ts'
import { whoIsThere } from './coordinator/hello.ts'
import { Replies } from './coordinator/replies.ts'
import { Sender } from './coordinator/sending.ts'
import type { Speaking } from './coordinator/spread-run.ts'
import { Team } from './coordinator/team.ts'
import { checkedLink, type Link, type LinkOptions, link, linkOptions } from './wire/link.ts'
import { openStore } from './wire/store.ts'
import type { WorkerInfo } from './wire/worker-info.ts'

export interface ClusterOptions extends LinkOptions {
  /** The backend of the device at home. It computes the runs that workers would not finish sooner; `cpu-wasm` by default. */
  readonly home?: Backend
  /** Whether small runs are spread, too. This is slower, but the choice of who computes then does not depend on measured speeds. */
  readonly always?: boolean
  /**
   * For workers that you do not trust: the share of blocks, 0 to 1, that a second worker computes again. One block of each worker is
   * checked besides. 0 by default: nothing is checked. A worker with wrong results is left out, and its blocks are computed again.
   */
  readonly recheck?: number
  /** The most bytes of arrays that the server may keep, if this is the first coordinator; 2 GiB by default. */
  readonly storeBytes?: number
}

/** @throws TypeError, RangeError for wrong options */
export function cluster(options: ClusterOptions): Backend {
  onlyNamed(options, 'option of cluster', [...linkOptions, 'home', 'always', 'recheck', 'storeBytes'], {
    always: flag,
    storeBytes: (value, name) => whole(value, name, 1),
  })
  checkedLink(options)
  if (finite(options.recheck ?? 0, 'recheck', 0) > 1)
    throw new RangeError(`"recheck" expected a number from 0 to 1, got ${options.recheck}`)
  return { name: 'cluster', probe: () => probe(options), open: (how) => open(options, how) }
}

async function probe(options: ClusterOptions): Promise<Probe> {
  let to: Link | undefined
  try {
    to = await link(options, { once: true })
    const workers = await whoIsThere(to, new Replies(to))
    if (workers.length === 0) return { available: false, reason: [...to.forbidden].join('; ') || noWorkers(options) }
    const features = workers.some(({ precisions }) => precisions.includes('f64')) ? ['f64'] : []
    return { available: true, device: describeWorkers(workers), kind: leastKind(workers), features }
  } catch (error) {
    return { available: false, reason: messageOf(error) }
  } finally {
    await to?.connection.close()
  }
}

/** @throws {@link BackendUnavailableError} */
async function open(options: ClusterOptions, how: OpenOptions = {}): Promise<Device> {
  const { precision = 'f32' } = how
  const { storeBytes = 2 ** 31, always = false, recheck = 0 } = options
  const home = await homeOf(options, how)
  let to: Link | undefined
  try {
    to = await link(options)
    const connected = to
    await openStore(to, storeBytes)
    const replies = new Replies(to)
    const proofs = new Sender(to, storeBytes, { pushes: false })
    const team: Team = new Team(to, replies, precision, (worker) =>
      disproofOf({ link: connected, replies }, worker, home, proofs),
    )
    await team.gather()
    if (team.members.length === 0) throw new Error(team.reasons || noWorkers(options))
    const sender = new Sender(to, storeBytes)
    const close = () => void connected.connection.close()
    return held(new Cluster({ link: to, team, replies, home, always, recheck, sender, close }))
  } catch (cause) {
    home.dispose()
    await to?.connection.close()
    throw new BackendUnavailableError('cluster', messageOf(cause), { cause })
  }
}

async function homeOf({ home }: ClusterOptions, how: OpenOptions): Promise<Device> {
  const backend = home ?? backends().find(({ name }) => name === 'cpu-wasm')
  if (!backend) throw new BackendUnavailableError('cluster', 'it needs a backend for small runs; pass one as "home"')
  return backend.open(how)
}

/** Why a worker cannot be trusted. As the only worker of a cluster, it must solve the engine's proof. @throws if the proof did not end */
async function disproofOf(
  to: Omit<Speaking, 'team'>,
  worker: WorkerInfo,
  home: Device,
  sender: Sender,
): Promise<string | undefined> {
  const { precision } = home.info
  const alone = new Team(to.link, to.replies, precision, async () => undefined, worker)
  const device = new Cluster({ ...to, team: alone, home, always: true, recheck: 0, sender, close: () => {} })
  return disproof(device, gravity({ softening: 0.05 })).finally(() => alone.close())
}

const serversOf = ({ servers }: ClusterOptions) => (typeof servers === 'string' ? servers : servers.join(', '))

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const noWorkers = (options: ClusterOptions) =>
  `no worker waits at ${serversOf(options)}; start one with npx @manybody/cluster worker --servers ${serversOf(options)}`
