/** A manybody backend as a contender: one of its variants, or its own choice. */

import type {
  ArrayResults,
  Backend,
  Bindings,
  Device,
  OpenOptions,
  Plan,
  Program,
  Shape,
  Workload,
} from '@manybody/core'
import { resultArrays } from '@manybody/core/backend'
import { bind } from '@manybody/core/judge'
import type { CallParts, Contender, Entry, Problem, Results } from '../contender.ts'
import type { Who } from '../record.ts'

export interface BackendOptions extends Pick<OpenOptions, 'precision' | 'threads'> {
  /** A plan to use instead of the backend's choice. */
  readonly plan?: Plan
  /** Whether rows name the plan that ran instead of the requested one. */
  readonly ran?: true
}

/** The options of a contender: plain data, so that a page can make the same contender. */
export interface BackendSpec extends BackendOptions {
  readonly backend: string
}

/** Devices that contenders share: each backend is opened once for each set of options. */
export class Devices {
  readonly #open = new Map<string, Promise<Device>>()

  of(backend: Backend, options: OpenOptions): Promise<Device> {
    const key = JSON.stringify([backend.name, options])
    const device = this.#open.get(key) ?? backend.open(options)
    this.#open.set(key, device)
    return device
  }

  async dispose(): Promise<void> {
    for (const opened of await Promise.allSettled(this.#open.values()))
      if (opened.status === 'fulfilled') opened.value.dispose()
    this.#open.clear()
  }
}

/** @throws RangeError if no backend has the name */
export function backendContenders(
  specs: readonly BackendSpec[],
  backends: readonly Backend[],
  devices: Devices,
): readonly Contender[] {
  return specs.map(({ backend: wanted, ...options }) => {
    const backend = backends.find((one) => one.name === wanted)
    if (!backend)
      throw new RangeError(`"backends" expected some of ${backends.map((one) => one.name).join(', ')}, got "${wanted}"`)
    const contender = backendContender(wanted, backend, options, devices)
    return { ...contender, name: [wanted, JSON.stringify(options)].filter((part) => part !== '{}').join(' ') }
  })
}

/** A contender with entries that can also run other points than the problem's. */
export interface BackendContender extends Contender {
  prepare(problem: Problem): Promise<ProgramEntry>
}

/** @param name the name of the contender in rows */
export function backendContender(
  name: string,
  backend: Backend,
  { plan, ran, ...open }: BackendOptions,
  devices: Devices,
): BackendContender {
  const { precision = 'f32' } = open
  return {
    name,
    about: aboutOf(name, { precision, ...(plan && { plan }) }),
    async refusal({ workload, shape }) {
      const device = await devices.of(backend, open)
      const support = device.supports(workload, shape)
      const reason = support.ok ? tooLarge(device, workload, shape) : support.reason
      return reason && `${name}: ${reason}`
    },
    async prepare(problem) {
      const device = await devices.of(backend, open)
      checkWorkgroup(device, plan)
      return entryOf(name, device, ran ? undefined : plan, problem, await program(device, problem, plan))
    },
  }
}

/** Describes a contender that did not run. */
export const aboutOf = (name: string, { precision = 'f32', plan }: BackendOptions): Partial<Who> => ({
  name,
  precision,
  ...(plan ? { variant: plan.variant, sizes: plan.sizes ?? {} } : {}),
})

/** Why a result is too large for one run of a device; undefined if it fits. */
function tooLarge({ info }: Device, workload: Workload, shape: Shape): string | undefined {
  const { resultBytes = Number.POSITIVE_INFINITY } = info.limits
  for (const [result, { Type, length }] of resultArrays(workload, shape, info.precision)) {
    const bytes = Type.BYTES_PER_ELEMENT * length
    if (bytes > resultBytes) return `"${result}" takes ${bytes} bytes, and one array here at most ${resultBytes}`
  }
  return undefined
}

/** A backend clips sizes to its limits. A figure under a size that did not run would be wrong. */
function checkWorkgroup({ info }: Device, plan: Plan | undefined): void {
  const [asked = 0, limit = Infinity] = [plan?.sizes?.workgroup, info.limits.workgroupInvocations]
  if (asked > limit) throw new RangeError(`a workgroup of ${asked} exceeds the device's limit of ${limit}`)
}

function program(device: Device, { workload, particles }: Problem, plan: Plan | undefined): Promise<Program> {
  const { shape } = bind(workload, particles)
  return device.prepare(workload, shape, plan)
}

/** @param plan the requested plan, if any */
export function whoOf(name: string, { info }: Device, variant: string, plan: Plan | undefined): Who {
  const { threads } = info.limits
  return {
    name,
    rival: false,
    device: info.name,
    kind: info.kind,
    precision: info.precision,
    variant,
    ...(plan ? { sizes: plan.sizes ?? {} } : {}),
    ...(threads === undefined ? {} : { threads }),
    limits: info.limits,
  }
}

/** Whether a device has a reliable clock. */
export const hasClock = ({ info: { kind, features } }: Device): boolean =>
  kind === 'hardware' && features.includes('timestamp-query')

/** An entry that can also run other points of the same shape. */
export interface ProgramEntry extends Entry {
  run(bindings?: Bindings): Promise<CallParts>
}

function entryOf(
  name: string,
  device: Device,
  plan: Plan | undefined,
  { workload, particles }: Problem,
  program: Program,
): ProgramEntry {
  const own = bind(workload, particles).bindings
  /** By points, because lists for other points have other lengths. */
  const results = new Map<Bindings, ArrayResults>()
  let latest: Bindings | undefined
  const run = async (bindings = own): Promise<CallParts> => {
    latest = bindings
    // Rivals also write into existing arrays.
    results.set(bindings, await program.run(bindings, { into: results.get(bindings) ?? {} }))
    const { upload, compute, readback } = program.report.timings
    // If the device has timestamps, `compute` is measured by its own clock.
    return { upload, compute, readback, ...(hasClock(device) ? { device: compute } : {}) }
  }
  return {
    get who() {
      return whoOf(name, device, plan?.variant ?? program.report.variant, plan)
    },
    get compile() {
      return program.report.timings.compile
    },
    get accuracy() {
      return program.report
    },
    run,
    async results(): Promise<Results> {
      if (latest !== own) await run()
      return results.get(own) ?? {}
    },
    dispose: () => program.dispose(),
  }
}
