/**
 * A stage of a sequence with two loops: over near points, by blocks or by cells, and over all pairs. In each round the device decides which
 * loop has points (`choose-blocks.ts`), so that nothing is read back. The same state always takes the same loop.
 *
 * @module
 */
import type { Bindings, Shape } from '@manybody/core'
import { usualReach } from '@manybody/core/backend'
import { nearLengths } from '@manybody/core/near'
import type { FieldValues } from '../../design/design.ts'
import { type Chooser, chosenBlocks, farthest, givenBlocks, type NearChoice } from '../../design/near.ts'
import { type Dispatch, uniformLength } from '../../design/shader.ts'
import { lengthValues } from '../../design/space.ts'
import { writeBytes } from '../../quirks/empty-write.ts'
import type { DesignedResult } from '../drivers/driver.ts'
import type { GpuHost } from '../host/host.ts'
import { bind } from './bind.ts'
import { type BoundRun, type BoundStep, type CompiledProgram, nearFor } from './compiled-program.ts'
import { pipelineOf } from './pipelines.ts'
import type { GpuProgram } from './program.ts'

/**
 * The most workgroups over all pairs that a round may start in vain, because the device has chosen blocks. Only runs of many
 * points have more. For them the idle workgroups would take longer than blocks save, so they always visit blocks.
 */
const mostIdle = 2 ** 14

/** The steps of both loops, and the choice before them. */
export async function* eitherLoop(
  host: GpuHost,
  { shape, near, compiled }: GpuProgram,
  blocks: CompiledProgram,
  run: BoundRun,
  results: readonly DesignedResult[],
): AsyncGenerator<BoundStep> {
  const { buffers, lease, bindings } = run
  const { choice } = near ? nearFor(near, bindings.parameters) : {}
  const { chooser } = choice ?? {}
  if (!choice || !chooser) throw new Error('only pairs may be near')
  const [inBlocks, pairs] = [blocks, compiled].map((program) => dispatchesOf(program, run, results)) as [
    readonly Dispatch[],
    readonly Dispatch[],
  ]
  if (pairs.reduce((sum, { size: [x, y, z] }) => sum + x * y * z, 0) > mostIdle) {
    yield* blocks.steps(run, results)
    return
  }
  const slots = new Slots(host, [...inBlocks, ...pairs])
  const chosen = await lease.written(slots.bytes.byteLength)
  const steps: BoundStep[] = []
  const uniforms = (block: ArrayBuffer) => slots.take(chosen, block)
  // Progress counts the pairs of one loop.
  for await (const step of blocks.steps({ ...run, uniforms }, results))
    steps.push({ ...step, interactions: 0, done: 0, reads: [] })
  const nearBytes = slots.end
  for await (const step of compiled.steps({ ...run, uniforms }, results)) steps.push(step)
  const words = [nearBytes / 4, slots.end / 4] as const
  const given = await lease.array(slots.bytes.byteLength)
  writeBytes(host.device.queue, given, slots.bytes)
  buffers.set(givenBlocks, given).set(chosenBlocks, chosen)
  const values = choiceValues(choice, chooser, shape, bindings.parameters, words)
  const choosing = await bind(host, run, await pipelineOf(host, chooser.shader), { values, size: [1, 1, 1] })
  const [first, ...others] = steps
  if (first) yield { ...first, dispatches: [...choosing, ...first.dispatches] }
  yield* others
}

/** The values of the dispatch that chooses. @param words numbers of words: of the loop by blocks, and of both loops */
function choiceValues(
  { kept, fewEqual, mostShare }: NearChoice,
  { space }: Chooser,
  { targets, sources }: Pick<Shape, 'targets' | 'sources'>,
  parameters: Bindings['parameters'],
  [nearWords, words]: readonly [number, number],
): FieldValues {
  const lengths = nearLengths(space.dimension, targets, sources, { kept })
  const cutoff = usualReach(parameters) ?? farthest
  return {
    ...{ targetCount: targets, sourceCount: sources, words, nearWords, mostShare },
    cutoff: Math.min(cutoff, farthest),
    edges: lengths.edges,
    kept: Math.min(lengths.kept, 1e6),
    fewEqual: Number(fewEqual),
    ...lengthValues(space, parameters),
  }
}

function dispatchesOf(
  { work }: CompiledProgram,
  run: BoundRun,
  results: readonly DesignedResult[],
): readonly Dispatch[] {
  return [...work(run, results).steps].flatMap((step) => step.dispatches)
}

/** The uniform blocks of dispatches in one buffer. */
class Slots {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where the last slot ends. */
  end = 0
  readonly #step: number

  constructor({ limits }: Pick<GpuHost, 'limits'>, dispatches: readonly Dispatch[]) {
    this.#step = limits.minUniformBufferOffsetAlignment
    const blocks = dispatches.map(({ shader }) => uniformLength(shader.fields))
    this.bytes = new Uint8Array(blocks.reduce((sum, size) => sum + this.#spaced(size), 0))
  }

  take(buffer: GPUBuffer, block: ArrayBuffer): GPUBufferBinding {
    const offset = this.end
    this.bytes.set(new Uint8Array(block), offset)
    this.end += this.#spaced(block.byteLength)
    return { buffer, offset, size: block.byteLength }
  }

  #spaced(size: number): number {
    return Math.ceil(size / this.#step) * this.#step
  }
}
