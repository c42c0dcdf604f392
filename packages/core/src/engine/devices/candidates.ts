/**
 * Turns a list of backends into one open, proven device, with a verdict for every candidate.
 *
 * @module
 */
import type { Backend, Device, LossReason, OpenOptions, Probe } from '../../contract/backend.ts'
import { unexpected } from '../../ground/checks.ts'
import { BackendUnavailableError, NoBackendError } from '../../ground/errors.ts'
import { Selection, type Verdict } from '../../ground/selection.ts'
import { kinds, rankOf, tagsOf } from './preference.ts'

/** The backends that may be used, and how to open them. */
export interface CandidateOptions extends OpenOptions {
  /** `auto` chooses by rank. A name, or names in order of preference, excludes all others. */
  readonly backend?: string | readonly string[]
  /** Names, kinds or features that a device must have: `hardware`, `threads`. */
  readonly require?: readonly string[]
  /** Names, kinds or features that a device must not have: `software`, `reference`. */
  readonly forbid?: readonly string[]
}

export interface Chosen {
  readonly device: Device
  readonly selection: Selection
  /** The candidates that may take over work that the device cannot run, in order of preference. */
  readonly others: readonly string[]
}

/** Why the devices of each backend were lost, in order. */
export type Losses = ReadonlyMap<string, readonly LossReason[]>

interface Candidate {
  readonly backend: Backend
  readonly probe: Probe
}

/**
 * Probes all candidates in parallel, then opens and proves one after the other until one succeeds.
 *
 * @param losses why devices of a backend were lost before. A backend lost twice is tried last.
 * @throws {@link NoBackendError}, {@link BackendUnavailableError} if the only one asked for cannot be used
 */
export async function choose(
  backends: readonly Backend[],
  options: CandidateOptions,
  losses: Losses = new Map(),
): Promise<Chosen> {
  const { backend: wanted = 'auto' } = options
  const candidates = await Promise.all(
    namedBackends(backends, wanted).map(async (backend) => {
      // Do not probe a backend that cannot be opened again: its driver may never answer.
      const final = losses.get(backend.name)?.find((loss) => loss.final)
      const probe = final
        ? { available: false as const, reason: `was lost: ${final.reason}` }
        : await safeProbe(backend, options)
      return { backend, probe }
    }),
  )
  const verdicts: Verdict[] = []
  let device: Device | undefined
  // Backends lost twice come last. Named ones keep the order of their names, others go by rank, unavailable ones at the end.
  const rank = ({ backend, probe }: Candidate) =>
    ((losses.get(backend.name)?.length ?? 0) > 1 ? 20 : 0) +
    (wanted === 'auto' ? (probe.available ? rankOf(backend, probe.kind) : 10) : 0)
  for (const candidate of candidates.sort((a, b) => rank(a) - rank(b))) {
    const result = await judge(
      candidate,
      options,
      device?.info.backend,
      losses.get(candidate.backend.name)?.at(-1)?.reason,
    )
    device ??= result.device
    verdicts.push(result.verdict)
  }
  if (device) {
    const available = verdicts.filter(({ outcome }) => outcome === 'available').map((verdict) => verdict.backend)
    // A candidate that ranks after every GPU in software, such as the reference, is too slow to take over unless it is named.
    const slow = wanted === 'auto' ? candidates.filter(isSlow).map((candidate) => candidate.backend.name) : []
    const others = available.filter((name) => !slow.includes(name))
    return { device, selection: new Selection(verdicts, notesOn(options.forbid, candidates)), others }
  }
  const [first] = verdicts
  if (first && first.backend === wanted) throw new BackendUnavailableError(wanted, first.reason)
  throw new NoBackendError(verdicts)
}

const isSlow = ({ backend, probe }: Candidate) =>
  probe.available && rankOf(backend, probe.kind) > kinds.indexOf('software')

function namedBackends(backends: readonly Backend[], wanted: string | readonly string[]): readonly Backend[] {
  if (wanted === 'auto') return backends
  const names = [wanted].flat()
  const unknown = (got: unknown) =>
    unexpected('backend', `"auto" or one of ${backends.map((b) => b.name).join(', ')}`, got)
  if (names.length === 0) throw unknown(wanted)
  return names.map((name) => {
    const found = backends.find((backend) => backend.name === name)
    if (!found) throw unknown(name)
    return found
  })
}

/** Words that matched no candidate: misspelt, or features that no device here has. */
function notesOn(forbid: readonly string[] = [], candidates: readonly Candidate[]): readonly string[] {
  const tags = candidates.flatMap(({ backend, probe }) => tagsOf(backend.name, probe))
  return forbid
    .filter((word) => ![...kinds, ...tags].includes(word))
    .map((word) => `"${word}" is forbidden, but none of these is or has it`)
}

/** A probe that throws is a fault of its backend, and must not stop the others. */
async function safeProbe(backend: Backend, options: OpenOptions): Promise<Probe> {
  const tooLate: Probe = {
    available: false,
    reason: `probing did not finish within ${patience} s; restart the browser`,
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Probe>((resolve) => {
    timer = setTimeout(() => resolve(tooLate), 1000 * patience)
  })
  try {
    return await Promise.race([backend.probe(options), late])
  } catch (error) {
    return { available: false, reason: `probing failed: ${messageOf(error)}` }
  } finally {
    clearTimeout(timer)
  }
}

/** Seconds that a probe may take. A driver that hangs for one program may hang for all. */
const patience = 60

async function judge(
  { backend, probe }: Candidate,
  options: CandidateOptions,
  chosen: string | undefined,
  loss: string | undefined,
): Promise<{ verdict: Verdict; device?: Device }> {
  const { name } = backend
  if (!probe.available) {
    const outcome = loss === undefined ? 'unavailable' : 'lost'
    return { verdict: { backend: name, outcome, reason: probe.reason } }
  }
  const found = { backend: name, device: probe.device, kind: probe.kind }
  const rejected = (reason: string) => ({ verdict: { ...found, outcome: 'rejected' as const, reason } })
  const tags = tagsOf(name, probe)
  const missing = options.require?.find((tag) => !tags.includes(tag))
  if (missing !== undefined) return rejected(`lacks "${missing}", which is required`)
  const forbidden = options.forbid?.find((tag) => tags.includes(tag))
  if (forbidden !== undefined) return rejected(`"${forbidden}" is forbidden`)
  if (chosen !== undefined) {
    const needs = probe.needs === undefined ? '' : `; it needs ${probe.needs}`
    const reason =
      loss === undefined ? `not tried, as ${chosen} is preferred${needs}` : `was lost: ${loss}; ${chosen} took over`
    return { verdict: { ...found, outcome: loss === undefined ? 'available' : 'lost', reason } }
  }
  let device: Device
  try {
    device = await backend.open(options)
  } catch (error) {
    return rejected(`opening failed: ${messageOf(error)}`)
  }
  const doubt = await doubtAbout(device)
  if (doubt !== undefined) {
    device.dispose()
    return rejected(doubt)
  }
  const reason =
    loss === undefined
      ? 'the first by preference that computes a known problem right'
      : `opened again after it was lost: ${loss}`
  return { verdict: { ...found, outcome: 'chosen', reason }, device }
}

/** Why a device cannot be trusted. Any failure during the proof is a reason. */
async function doubtAbout(device: Device): Promise<string | undefined> {
  // Load the proof on demand: it imports the language, which importing the library must not.
  const { disproof } = await import('./proof.ts')
  try {
    return await disproof(device)
  } catch (error) {
    return `proving failed: ${messageOf(error)}`
  }
}

/** The message of an error, without the name of the backend if it begins with it. */
function messageOf(error: unknown): string {
  const { reason, message } = Object(error) as Partial<BackendUnavailableError>
  return reason ?? message ?? String(error)
}
