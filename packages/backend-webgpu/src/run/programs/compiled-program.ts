/**
 * Turns a design into GPU objects: pipelines once, buffers and bind groups for each step of a run. `program.ts` submits the
 * steps one by one, `sequence.ts` many at a time.
 *
 * @module
 */
import type { Bindings, DeviceBuffer, FloatArray, Report, RunOptions } from '@manybody/core'
import { Guarded, onFirstUse, reportOf } from '@manybody/core/backend'
import { type AnyVersion, type ProgramDesign, shadersOf } from '../../design/design.ts'
import type { CellsChoice, NearChoice } from '../../design/near.ts'
import { versionOf } from '../../design/versions.ts'
import { writeBytes } from '../../quirks/empty-write.ts'
import type { DesignedResult, DesignRun, Step, Work } from '../drivers/driver.ts'
import { driverOf, workOf } from '../drivers/drivers.ts'
import type { GpuHost } from '../host/host.ts'
import { toFloat32 } from '../host/memory.ts'
import { bind, readyToBind } from './bind.ts'
import type { Arrays, BoundDispatch } from './bound.ts'
import { pipelineOf } from './pipelines.ts'
import { isWhole } from './whole.ts'

export interface BoundStep extends Omit<Step, 'dispatches' | 'writes'> {
  readonly dispatches: readonly BoundDispatch[]
}

/** Its inputs are uploaded. */
export interface BoundRun extends DesignRun, Arrays {
  /** Arrays that only the shaders read and write, if they outlast the lease. */
  readonly scratch?: Readonly<Record<string, GPUBuffer>>
}

export interface CompiledProgram {
  readonly design: ProgramDesign
  /** Before any run. */
  readonly report: Report
  /** Compiles the shaders that these parameters need, or the workload's own, unless they are compiled already. */
  readonly ready: (parameters?: Bindings['parameters']) => Promise<void>
  readonly work: (run: DesignRun, results: readonly DesignedResult[]) => Work
  readonly steps: (run: BoundRun, results: readonly DesignedResult[]) => AsyncIterable<BoundStep>
  /** If the program computes only whole runs: the program of all other runs, compiled on first use. */
  readonly inParts?: (() => Promise<CompiledProgram>) | undefined
  /** The program for rounds of a sequence with Verlet lists, if they may keep some; compiled on first use. */
  readonly lasting?: (() => Promise<CompiledProgram | undefined>) | undefined
}

export interface Prepared {
  /** Computes any run. */
  readonly usual: CompiledProgram
  /** Compiles a program that replaces it in later runs: the same sums, computed faster. */
  readonly tuned?: (() => Promise<CompiledProgram>) | undefined
  readonly near?: Near | undefined
}

/** A loop over near points, for whole runs where the points make it faster: by blocks, or by cells if they suit the run. */
export interface Near {
  readonly choice: NearChoice
  /** Compiles it on first use; undefined if the device cannot run it. */
  readonly compiled: () => Promise<CompiledProgram | undefined>
  readonly cells?: Omit<Near, 'cells'> & Pick<CellsChoice, 'suit' | 'carries'>
}

/** The loop over near points for the parameters of a run. */
export const nearFor = (near: Near, parameters: Bindings['parameters']): Near =>
  near.cells?.suit(parameters) ? near.cells : near

/**
 * Compiles the shaders for the workload's own parameters. Runs with other parameters may compile more. The shader of a map waits for a
 * run by itself, because a sequence has it in one shader with its neighbours.
 */
export async function compiled(host: GpuHost, design: ProgramDesign): Promise<CompiledProgram> {
  const versions = new Guarded(design.guard, (guard) => versionOf<AnyVersion>(design.versions, guard))
  const ready = async (parameters?: Bindings['parameters']) => {
    const shaders = shadersOf(design, versions.of(parameters))
    await Promise.all([readyToBind(shaders), ...shaders.map((shader) => pipelineOf(host, shader))])
  }
  const [driver] = await Promise.all([driverOf(design), 'map' in design ? undefined : ready()])
  const work: CompiledProgram['work'] = (run, results) =>
    workOf(driver, design, run, results, versions.of(run.bindings.parameters))
  return {
    design,
    // The design of parts is made when it is first read.
    inParts: 'inParts' in design ? onFirstUse(() => compiled(host, design.inParts as ProgramDesign)) : undefined,
    lasting:
      design.driver === 'cells' ? onFirstUse(async () => design.lasting && compiled(host, design.lasting)) : undefined,
    report: reportOf(host.info, design),
    ready,
    work,
    async *steps(run, results) {
      const { buffers, lease } = run
      const { scratch, steps } = work(run, results)
      for (const [key, bytes] of Object.entries(scratch))
        buffers.set(key, run.scratch?.[key] ?? (await lease.array(bytes)))
      for (const { dispatches, writes = {}, ...step } of steps) {
        for (const [name, data] of Object.entries(writes)) {
          const buffer = buffers.get(`result.${name}`)
          if (buffer) writeBytes(host.device.queue, buffer, toFloat32(data))
        }
        const all: BoundDispatch[] = []
        for (const dispatch of dispatches)
          all.push(...(await bind(host, run, await pipelineOf(host, dispatch.shader), dispatch)))
        yield { ...step, dispatches: all }
      }
    },
  }
}

/** An array of a caller. */
export type GivenArray = FloatArray | Uint32Array | DeviceBuffer

/** The bound array for the key of a resource. */
export function inputOf(bindings: Bindings, key: string): GivenArray {
  const [set = '', name = ''] = key.split('.')
  const data =
    set === 'exclusions'
      ? bindings.exclusions?.[name as 'offsets' | 'sources']
      : set === 'lists'
        ? bindings.offsets
        : set === 'tables'
          ? bindings.tables
          : (set === 'sources' ? bindings.sources : bindings.targets).arrays[name]
  if (data === undefined) throw new TypeError(`"${name}" expected an array in "${set}", got none`)
  return data
}

/** The program that computes a run, or a stage with ranges. */
export const computing = (
  program: CompiledProgram,
  bindings: Bindings,
  options: RunOptions,
): CompiledProgram | Promise<CompiledProgram> =>
  program.inParts && !isWhole(bindings, options) ? program.inParts() : program
