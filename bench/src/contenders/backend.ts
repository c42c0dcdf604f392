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
      return new ProgramEntry(name, device, ran ? undefined : plan, problem, await program(device, problem, plan))
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

export class ProgramEntry implements Entry {
  readonly #name: string
  readonly #device: Device
  readonly #plan: Plan | undefined
  readonly #program: Program
  readonly #bindings: Bindings
  #latest: Bindings | undefined
  /** Results by points, because lists for other points have other lengths. */
  readonly #results = new Map<Bindings, ArrayResults>()

  constructor(name: string, device: Device, plan: Plan | undefined, problem: Problem, program: Program) {
    this.#name = name
    this.#device = device
    this.#plan = plan
    this.#program = program
    this.#bindings = bind(problem.workload, problem.particles).bindings
  }

  get who(): Who {
    return whoOf(this.#name, this.#device, this.#plan?.variant ?? this.#program.report.variant, this.#plan)
  }

  get compile(): number {
    return this.#program.report.timings.compile
  }

  get accuracy(): Entry['accuracy'] {
    return this.#program.report
  }

  /** @param bindings the points of the problem, or others of the same shape */
  async run(bindings: Bindings = this.#bindings): Promise<CallParts> {
    this.#latest = bindings
    // Rivals also write into existing arrays.
    this.#results.set(bindings, await this.#program.run(bindings, { into: this.#results.get(bindings) ?? {} }))
    const { upload, compute, readback } = this.#program.report.timings
    // If the device has timestamps, `compute` is measured by its own clock.
    return { upload, compute, readback, ...(hasClock(this.#device) ? { device: compute } : {}) }
  }

  /** Runs the points of the problem if the latest run had others. */
  async results(): Promise<Results> {
    if (this.#latest !== this.#bindings) await this.run()
    return this.#results.get(this.#bindings) ?? {}
  }

  dispose(): void {
    this.#program.dispose()
  }
}
