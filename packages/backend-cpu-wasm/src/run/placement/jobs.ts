/**
 * The jobs of a program with its places in memory: its phases in order, then the conversion of integer results to floats.
 *
 * @module
 */
import type { PhaseShape } from '../../design/design.ts'
import { lastingPhases } from '../../design/list-layout.ts'
import { cutLevels } from '../../design/order-layout.ts'
import { type Job, onThisThread } from '../threads/job.ts'
import type { BoundProgram } from './bound-program.ts'
import { phaseIndex } from './loaded-program.ts'
import type { MemoryLayout } from './memory-layout.ts'

export interface JobList {
  readonly jobs: readonly Job[]
  /** Updates the jobs by the times that their phases have taken meanwhile. */
  readonly time: () => void
}

/** The most milliseconds of one call, which cannot be aborted. */
const longestCall = 25

/** A guess of how many sources a target meets by blocks, until a run has been timed. */
const metInBlocks = 1000

/** Milliseconds for each source to number proxies. */
const numbering = 2e-7

/** @param placeProxies returns the number of proxies, once phases have weighed nodes */
export function jobsOf(bound: BoundProgram, placeProxies: () => number): JobList {
  const { program, layout, regions, lasting, parts } = bound
  const { design, shape, counts, request } = layout
  let proxies = 0
  const countOf = ({ over }: PhaseShape) => (over === 'proxy' ? proxies : counts[`${over}s`])
  const listed: { readonly phase: PhaseShape; readonly job: Job }[] = []
  /** Sets the number of units, the cost and the units of a call, from the count of points and the measured times. */
  const time = (phase: PhaseShape, job: Job) => {
    const count = countOf(phase)
    const all = request.givenPairs === undefined ? counts.sources : request.givenPairs / Math.max(1, counts.targets)
    const met = layout.ordered ? Math.min(all, metInBlocks) : all
    const nanoseconds = phase.nanoseconds * (phase.perPart ? (layout.once?.parts ?? 1) : 1)
    const measured = job.chooser?.alone
    job.units = unitsOf(layout, phase, count)
    job.cost =
      measured === undefined ? count * (phase.pairs ? met * nanoseconds : nanoseconds) * 1e-6 : measured * job.units
    const most = Math.floor((job.units * longestCall) / Math.max(job.cost, longestCall))
    job.callUnits = Math.max(1, Math.min(phase.callUnits, most))
  }
  const jobOf = (phase: PhaseShape): Job => {
    const index = phaseIndex(program, phase.name)
    const job: Job = {
      ...{ program, phase: index, block: regions.at.block as number },
      ...{ scratch: regions.at.scratchBase as number, scratchBytes: layout.scratchBytes },
      ...{ units: 0, callUnits: 1, cost: 0 },
      parts: phase.pairs ? partsOf(layout) : undefined,
      chooser: program.choosers[index],
      copies:
        parts && phase.pairs && !regions.memory.shared ? () => parts.copiesOf(bound, phase, job.units) : undefined,
    }
    time(phase, job)
    listed.push({ phase, job })
    return job
  }
  const numbered = onThisThread(() => {
    proxies = placeProxies()
    for (const { phase, job } of listed) if (phase.over === 'proxy') time(phase, job)
  }, shape.sources * numbering)
  const phases = design.phases.filter(
    (phase) =>
      (phase.name !== 'copy' || layout.copies) &&
      (lasting || !lastingPhases.has(phase.name)) &&
      (phase.level ?? -1) < cutLevels(countOf(phase)),
  )
  return {
    jobs: [...phaseJobs(bound, phases, jobOf, numbered), ...conversions(bound)],
    time: () => {
      for (const { phase, job } of listed) time(phase, job)
    },
  }
}

function phaseJobs(
  bound: BoundProgram,
  phases: readonly PhaseShape[],
  jobOf: (phase: PhaseShape) => Job,
  numbered: Job,
): readonly Job[] {
  const { layout, arrangement, lasting } = bound
  if (layout.once) return onceJobs(phases, jobOf)
  if (!arrangement) {
    const clears = clearings(bound)
    return phases.flatMap((phase) => [...(phase.pairs ? clears : []), jobOf(phase)])
  }
  // Points are put in order before any other phase reads them.
  const [ordering, others] = [phases.filter(({ orders }) => orders), phases.filter(({ orders }) => !orders)]
  const begun = onThisThread(() => arrangement.begin(), 1e-3)
  const finished = onThisThread(() => arrangement.finish(lasting?.skin), 1e-3)
  if (lasting) return lasting.jobs({ begun, finished, ordering, others, jobOf })
  const rest = others.flatMap((phase) => (phase.name === 'weigh' ? [jobOf(phase), numbered] : jobOf(phase)))
  return [begun, ...ordering.map(jobOf), finished, ...rest]
}

/** The parts of the pairs of blocks, if threads that share the memory add up their terms. */
const partsOf = ({ once, shared }: MemoryLayout): Job['parts'] =>
  once && shared && once.parts > 1 ? { count: once.parts, units: once.partPairs } : undefined

/** The jobs of a loop that visits each pair once. They leave all totals 0, as the next run needs them. */
function onceJobs(phases: readonly PhaseShape[], jobOf: (phase: PhaseShape) => Job): readonly Job[] {
  // New memory may hold anything, and so may the totals of a run that has not ended. So the first phase clears them then.
  let zero = false
  const skip = () => {
    const skipped = zero
    zero = false
    return skipped
  }
  const ended = onThisThread(() => {
    zero = true
  }, 1e-3)
  return [
    ...phases.map((phase) => (phase.name === 'clear' ? Object.assign(jobOf(phase), { skip }) : jobOf(phase))),
    ended,
  ]
}

function unitsOf({ counts, once }: MemoryLayout, { points, units }: PhaseShape, count: number): number {
  const { blocks = 0, parts = 0 } = once ?? {}
  if (units === undefined) return Math.ceil(count / points)
  if (counts.targets === 0) return 0
  if (units === 'blocks') return (blocks * (blocks + 1)) / 2
  if (units === 'tasks') return 2 ** cutLevels(count)
  return units === 'parts' ? parts : units
}

/** The jobs that set matrices on the device to 0. Without them, columns outside the range of sources would keep old numbers. */
function clearings({ layout, regions }: BoundProgram): readonly Job[] {
  return layout.results.flatMap(({ partial, given }) => {
    if (!partial || !given) return []
    const { address, length } = given
    return onThisThread(() => void regions.view('number', address, length).fill(0), length * 1e-6)
  })
}

/** The jobs that convert integer results to floats. They run on this thread, because they cost next to nothing. */
function conversions({ layout, regions, addresses }: BoundProgram): readonly Job[] {
  return layout.results.flatMap(({ name, type, length, converted: to }) => {
    if (!to) return []
    const from = () => regions.view(type, addresses[`final.${name}`] as number, length)
    return onThisThread(() => regions.view('number', to.address, to.length).set(from()), to.length * 1e-6)
  })
}
