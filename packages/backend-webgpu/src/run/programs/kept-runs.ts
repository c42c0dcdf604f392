/**
 * Runs that a program keeps with their arrays bound, so that the next run with the same parameters only writes its inputs and
 * submits. Only runs over the caller's arrays are kept.
 *
 * @module
 */
import type { Bindings, RunOptions } from '@manybody/core'
import { sameParameters } from '@manybody/core/backend'
import type { GpuHost } from '../host/host.ts'
import type { Lease } from '../host/memory.ts'
import { ReadyUpload } from '../host/ready-upload.ts'
import type { CompiledProgram, GivenArray } from './compiled-program.ts'
import { inputsOf, largeInputs } from './inputs.ts'
import type { Submission } from './submission.ts'

export interface KeptRun {
  readonly compiled: CompiledProgram
  readonly parameters: Bindings['parameters']
  /** The numbers of targets and of sources. */
  readonly counts: readonly [targets: number, sources: number]
  /** The buffers of the inputs, in their order. */
  readonly buffers: readonly GPUBuffer[]
  /** Bytes of these buffers, because reading the size of a buffer is a call into Dawn. */
  readonly room: readonly number[]
  /** The submissions in order. */
  readonly submissions: readonly Submission[]
  /** The lease of all buffers. */
  readonly lease: Lease
  /** Memory for the large arrays of the next run, once this one was repeated. */
  upload?: ReadyUpload | undefined
}

/** Frees the arrays of a run. */
export function released({ lease, upload }: KeptRun): void {
  upload?.release()
  lease.release()
}

/** Gets memory ready for the large arrays of the next run. */
export async function readied(host: GpuHost, kept: KeptRun, inputs: readonly GivenArray[]): Promise<void> {
  const large = largeInputs(inputs)
  if (large === 0 || kept.upload) return
  kept.upload = await ReadyUpload.of(host, large, kept.lease)
  void kept.upload?.prepare()
}

/** This many calls in flight find their arrays bound. */
const most = 4

export class KeptRuns {
  readonly #kept: KeptRun[] = []

  /** Lends a fitting run with at most this number of interactions in each submission; undefined if there is none. */
  take(
    compiled: CompiledProgram,
    inputs: readonly GivenArray[],
    { parameters, targets, sources }: Pick<Bindings, 'parameters' | 'targets' | 'sources'>,
    interactions: number,
  ): KeptRun | undefined {
    const at = this.#kept.findLastIndex(
      (run) =>
        run.compiled === compiled &&
        run.counts[0] === targets.count &&
        run.counts[1] === sources.count &&
        run.submissions.every(({ step }) => step.interactions <= interactions) &&
        sameParameters(run.parameters, parameters) &&
        inputs.every((input, n) => fits(input, run.room[n] as number)),
    )
    const [run] = at < 0 ? [] : this.#kept.splice(at, 1)
    run?.lease.wake()
    return run
  }

  /** Keeps a run, until the memory needs the room of its arrays. */
  keep(run: KeptRun): void {
    this.#kept.push(run)
    run.lease.rest(() => {
      run.upload?.release()
      this.#kept.splice(this.#kept.indexOf(run), 1)
    })
    if (this.#kept.length > most) released(this.#kept.shift() as KeptRun)
  }

  dispose(): void {
    for (const run of this.#kept.splice(0)) released(run)
  }
}

/** Whether a run is over all points, and over arrays on the host, so that all its buffers may be used again. */
export function isKeepable({ design }: CompiledProgram, bindings: Bindings, options: RunOptions): boolean {
  // The length of lists differs from run to run.
  return isWhole(options) && !bindings.offsets && inputsOf(design, bindings).every((input) => ArrayBuffer.isView(input))
}

export const isWhole = ({ targets, sources, initial }: RunOptions): boolean => !(targets || sources || initial)

function fits(input: GivenArray, room: number): boolean {
  return ArrayBuffer.isView(input) && 4 * input.length <= room
}
