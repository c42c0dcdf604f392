/**
 * Backends for tests of the engine: the reference under other names, with faults and counters put on.
 *
 * @module
 */
import type {
  Backend,
  Device,
  DeviceInfo,
  DeviceKind,
  Program,
  RunOptions,
  Sequence,
  Stage,
  TreeRuns,
} from '../../src/contract/backend.ts'
import { requireSupport } from '../../src/engine/require-support.ts'
import { DeviceLostError, ProgramCompilationError } from '../../src/ground/errors.ts'
import type { ArrayResults, Shape, Workload } from '../../src/problem/workloads/workload.ts'
import { reference } from '../../src/truth/reference/backend.ts'

export interface Faults {
  readonly kind?: DeviceKind
  readonly preference?: number
  readonly features?: readonly string[]
  readonly limits?: Readonly<Record<string, number>>
  readonly unavailable?: string
  /** The requirement of opening in its probe. */
  readonly needs?: string
  readonly probeThrows?: string
  readonly openThrows?: Error
  readonly unsupported?: string
  /** Why it does not support a workload, if it does not. */
  readonly refuses?: (workload: Workload, shape: Shape) => string | undefined
  /** The complaint of its compiler about a workload. */
  readonly rejects?: (workload: Workload) => string | undefined
  /** Called when a program gets ready for a workload. */
  readonly ready?: (workload: Workload) => void
  /** Why it reads no ranges of sources. */
  readonly unranged?: string
  /** Whether its arrays are buffers of WebGPU. */
  readonly native?: true
  /** Whether its programs have a tree where programs of the reference have one. */
  readonly tree?: true
  /** The limit of sources that its trees report for runs that measure errors. */
  readonly measuredSources?: number | undefined
  /** Whether each of its programs takes one number of points. */
  readonly single?: true
  /** Changes the results of a run. */
  readonly distort?: (results: ArrayResults, workload: Workload) => ArrayResults
  /** Called before each run of a program, from any device: throwing is a failed run. */
  readonly beforeRun?: (run: number, options: RunOptions | undefined) => void | Promise<void>
  /** Called after each run of a tree. */
  readonly afterTree?: (results: ArrayResults, options: RunOptions | undefined) => void
  /** The device vanishes at these runs, counted over all devices from 1. Runs of a sequence count, too. */
  readonly losesAt?: readonly number[]
  /** Whether opening it again after that is said to be useless. */
  readonly final?: true
}

/** Counts of the requests to a fake backend and its devices. */
interface Log {
  probed: number
  opened: number
  /** Devices that were disposed of, each counted once. */
  disposed: number
  prepared: Workload[]
  programsDisposed: number
  buffers: number
  /** Arrays of devices that were read. */
  reads: number
  runs: number
}

export interface FakeBackend extends Backend {
  readonly log: Log
}

/** The reference by another name. */
export function fakeBackend(name: string, faults: Faults = {}): FakeBackend {
  const log: Log = {
    probed: 0,
    opened: 0,
    disposed: 0,
    prepared: [],
    programsDisposed: 0,
    buffers: 0,
    reads: 0,
    runs: 0,
  }
  const kind = faults.kind ?? 'cpu'
  const features = faults.features ?? []
  return {
    name,
    log,
    preference: faults.preference ?? 0,
    probe: async () => {
      log.probed++
      if (faults.probeThrows !== undefined) throw new Error(faults.probeThrows)
      if (faults.unavailable !== undefined) return { available: false, reason: faults.unavailable }
      return { available: true, device: `${name} device`, kind, features, ...(faults.needs && { needs: faults.needs }) }
    },
    open: async (options) => {
      if (faults.openThrows !== undefined) throw faults.openThrows
      log.opened++
      const device = await reference().open(options)
      const info: DeviceInfo = {
        ...device.info,
        ...{ backend: name, name: `${name} device`, kind, features },
        limits: { ...device.info.limits, ...faults.limits },
      }
      return faulty(device, info, faults, log)
    },
  }
}

function faulty(device: Device, info: DeviceInfo, faults: Faults, log: Log): Device {
  const lost = new DeviceLostError(info.backend, {
    reason: 'it was unplugged',
    remedy: 'plug it in',
    ...(faults.final ? { final: true } : {}),
  })
  let [gone, disposed] = [false, false]
  const beforeRun = async (options?: RunOptions) => {
    log.runs++
    const run = log.runs
    await faults.beforeRun?.(run, options)
    if (faults.losesAt?.includes(run)) gone = true
    if (gone) throw lost
  }
  const prepare = async (workload: Workload, shape: Shape): Promise<Program> => {
    if (gone) throw lost
    log.prepared.push(workload)
    const reason = faults.refuses?.(workload, shape)
    if (reason !== undefined) requireSupport(info.backend, workload, { ok: false, reason })
    const message = faults.rejects?.(workload)
    if (message !== undefined) throw new ProgramCompilationError(info.backend, 'the source', [message])
    const program = await device.prepare(workload, shape)
    const distorted = (results: ArrayResults) => (faults.distort ? faults.distort(results, workload) : results)
    const tree = faults.tree && (await program.tree?.())
    return {
      run: async (bindings, options) => {
        await beforeRun(options)
        return distorted(await program.run(bindings, options))
      },
      ...(tree && {
        tree: async (): Promise<TreeRuns> => ({
          ...tree,
          run: async (...given) => {
            const results = distorted(await tree.run(...given))
            faults.afterTree?.(results, given[2])
            return results
          },
          ...(faults.measuredSources && { measuredSources: faults.measuredSources }),
        }),
      }),
      ...(program.fewer && !faults.single && { fewer: true }),
      ...(faults.ready && { ready: async () => faults.ready?.(workload) }),
      get report() {
        return { ...program.report, backend: info.backend, device: info.name, kind: info.kind }
      },
      dispose: () => {
        log.programsDisposed++
        program.dispose()
      },
    }
  }
  return {
    ...device,
    info,
    supports: (workload, shape) => {
      const { unsupported = faults.refuses?.(workload, shape), unranged } = faults
      const reason = unsupported ?? (shape.ranged ? unranged : undefined)
      return reason === undefined ? { ok: true } : { ok: false, reason }
    },
    prepare,
    buffer: async (length) => {
      log.buffers++
      const buffer = await device.buffer(length)
      const { read } = buffer
      buffer.read = (into) => {
        log.reads++
        return read.call(buffer, into)
      }
      return faults.native ? Object.assign(buffer, { gpu: { buffer: {}, device: {} } }) : buffer
    },
    sequence: async (stages: readonly Stage[]): Promise<Sequence> => {
      if (gone) throw lost
      return device.sequence(stages)
    },
    dispose: () => {
      if (!disposed) log.disposed++
      disposed = true
      device.dispose()
    },
  }
}

/** Runs that a backend needs to prove itself. */
export const proofRuns = 1
