/**
 * The device of a cluster. The workers share loops over pairs. Maps and grids run on a device at home, because their work grows only
 * with the number of points.
 *
 * @module
 */
import {
  type Device,
  type DeviceInfo,
  DeviceLostError,
  type LossReason,
  type PairWorkload,
  type Plan,
  type Program,
  type Sequence,
  type Shape,
  type Stage,
  type Support,
  type Workload,
} from '@manybody/core'
import { preparedOn, requireFixedLength, resultArrays, whole } from '@manybody/core/backend'
import { workloadOf } from '@manybody/core/judge'
import type { Link } from '../wire/link.ts'
import { ClusterArray, InOrder } from './cluster-array.ts'
import { ClusterSequence, type ClusterStage } from './cluster-sequence.ts'
import { describeWorkers, leastKind } from './describe-workers.ts'
import { ClusterProgram, type Coordinator } from './program.ts'
import type { Replies } from './replies.ts'
import type { Sender } from './sending.ts'
import type { Speaking } from './spread-run.ts'
import type { Team } from './team.ts'

export interface ClusterParts extends Speaking {
  readonly home: Device
  /** Whether small runs go to the workers, too. */
  readonly always: boolean
  /** The share of blocks that are checked. */
  readonly recheck: number
  readonly sender: Sender
  /** Ends the connection, if the device owns it. */
  readonly close: () => void
}

export class Cluster implements Device, Coordinator {
  readonly link: Link
  readonly team: Team
  readonly replies: Replies
  readonly always: boolean
  readonly recheck: number
  readonly sender: Sender
  readonly order: InOrder = new InOrder()
  readonly lost: Promise<LossReason>
  readonly home: Device
  readonly #close: () => void
  #lose: (loss: LossReason) => void = () => {}
  readonly #disposed = new AbortController()

  constructor({ link, team, replies, home, always, recheck, sender, close }: ClusterParts) {
    this.link = link
    this.team = team
    this.replies = replies
    this.always = always
    this.recheck = recheck
    this.sender = sender
    this.home = home
    this.#close = close
    const own = new Promise<LossReason>((resolve) => {
      this.#lose = resolve
    })
    this.lost = Promise.race([own, home.lost])
  }

  get info(): DeviceInfo {
    const { precision, features, limits } = this.home.info
    const workers = this.team.members.map(({ info }) => info)
    return {
      backend: 'cluster',
      name: describeWorkers(workers),
      kind: workers.length > 0 ? leastKind(workers) : this.home.info.kind,
      precision,
      features: features.filter((feature) => feature === 'f64'),
      limits: { resultBytes: limits.resultBytes, ...(limits.listBytes && { listBytes: limits.listBytes }) },
      notes: this.team.notes,
    }
  }

  supports(workload: Workload, shape: Shape): Support {
    return this.home.supports(workload, shape)
  }

  prepare(workload: Workload, shape: Shape, plan?: Plan): Promise<Program> {
    return preparedOn(this, (one) => this.#prepare(one, shape, plan), workload, shape, plan)
  }

  async #prepare(workload: Workload, shape: Shape, plan: Plan | undefined): Promise<Program> {
    // Workers take no vectors, so sums of these run at home.
    const spread = workload.loop === 'pair' &&
      !shape.lengths &&
      isData(workload) && { workload, shape, plan, precision: this.info.precision }
    const home = await this.home.prepare(workload, shape, spread ? undefined : plan)
    return new ClusterProgram(this, home, resultArrays(workload, shape, this.info.precision), spread || undefined)
  }

  async buffer(length: number): Promise<ClusterArray> {
    return new ClusterArray(whole(length, 'length', 0), this.home, this.order)
  }

  async sequence(stages: readonly Stage[]): Promise<Sequence> {
    for (const { program, outputs } of stages) {
      requireFixedLength(program, 'cluster')
      const strangers = Object.values(outputs).some((output) => !(output instanceof ClusterArray))
      if (!(program instanceof ClusterProgram) || strangers)
        throw new TypeError(
          '"stages" expected programs and buffers of this device, got some of another; prepare them again',
        )
    }
    return new ClusterSequence(this, stages as readonly ClusterStage[])
  }

  get disposed(): AbortSignal {
    return this.#disposed.signal
  }

  lose(loss: LossReason): void {
    this.#lose(loss)
  }

  dispose(): void {
    if (this.disposed.aborted) return
    this.#disposed.abort(new DeviceLostError('cluster', { reason: 'it was disposed of', remedy: 'open it again' }))
    this.home.dispose()
    // Workers hear of the end of runs before the connection ends.
    queueMicrotask(this.#close)
  }
}

/** Whether a worker can check a workload from its text. It cannot check the short part of a mesh, which has no constructor. */
function isData(workload: PairWorkload): boolean {
  try {
    workloadOf(JSON.parse(JSON.stringify(workload)))
    return true
  } catch {
    return false
  }
}
