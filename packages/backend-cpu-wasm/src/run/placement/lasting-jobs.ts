/**
 * The jobs of a round with Verlet lists (`lasting.ts`).
 *
 * @module
 */
import type { PhaseShape } from '../../design/design.ts'
import { type Job, onThisThread } from '../threads/job.ts'

/** The lists of a round: what it decides, and the work of the host. */
interface ListsOfRound {
  readonly listed: boolean
  readonly making: boolean
  readonly again: boolean
  readonly carriedOnes: boolean
  readonly held: boolean
  measure(): void
  decide(): void
  reserve(): void
  fit(): void
  made(): void
  leaveCarried(): void
}

/** The phases that read the points of a round. */
const prepares: ReadonlySet<string> = new Set(['targets', 'sources'])

export interface OrderedPhases {
  readonly begun: Job
  readonly finished: Job
  readonly ordering: readonly PhaseShape[]
  readonly others: readonly PhaseShape[]
  readonly jobOf: (phase: PhaseShape) => Job
}

/** The jobs for one round: rebuild the neighbour lists if they have expired, then use them. Some rounds skip the lists. */
export function lastingJobs(lasting: ListsOfRound, of: OrderedPhases): readonly Job[] {
  // The job itself, because the times of its phase change it.
  const job = (phase: PhaseShape | Job, when: () => boolean): Job =>
    Object.assign('name' in phase ? of.jobOf(phase) : phase, { skip: () => !when() })
  const named = (name: string) => of.others.find((phase) => phase.name === name) as PhaseShape
  const host = (work: () => void, when: () => boolean) => job(onThisThread(work, 1e-3), when)
  const gathers = of.others.filter(({ name }) => prepares.has(name))
  const searches = of.others.filter(({ forSearch }) => forSearch)
  const orders = () => lasting.making || !lasting.listed
  return [
    host(
      () => lasting.measure(),
      () => lasting.held,
    ),
    job(named('displacements'), () => lasting.held),
    onThisThread(() => lasting.decide(), 1e-2),
    ...[of.begun, ...of.ordering, of.finished, ...gathers, ...searches].map((phase) => job(phase, orders)),
    host(
      () => lasting.reserve(),
      () => lasting.making,
    ),
    job(named('list'), () => lasting.making),
    host(
      () => lasting.fit(),
      () => lasting.making,
    ),
    job(named('list'), () => lasting.again),
    host(
      () => lasting.made(),
      () => lasting.again,
    ),
    host(
      () => lasting.leaveCarried(),
      () => lasting.carriedOnes,
    ),
    ...gathers.map((phase) => job(phase, () => lasting.carriedOnes || (lasting.listed && !lasting.making))),
    job(named('pairs'), () => !lasting.listed),
    job(named('listed'), () => lasting.listed),
    of.jobOf(named('scatter')),
  ]
}
