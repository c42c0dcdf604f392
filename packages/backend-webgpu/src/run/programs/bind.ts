/**
 * Binds a dispatch, and copies the numbers of arrays that share a binding. The code for these loads with the first shader that has some.
 *
 * @module
 */
import { onFirstUse } from '@manybody/core/backend'
import type { Dispatch, Shader } from '../../design/shader.ts'
import type { Pipeline } from '../host/compile.ts'
import type { GpuHost } from '../host/host.ts'
import { type Arrays, type BoundDispatch, bound, bufferOf } from './bound.ts'
import { pipelineOf } from './pipelines.ts'

const loadSharing = onFirstUse(async () => (await import('./sharing.ts')).sharing)

const sharesArrays = ({ resources }: Shader): boolean => resources.some(({ parts }) => parts)

/** Loads the code that binding a dispatch of these shaders needs. */
export async function readyToBind(shaders: readonly Shader[]): Promise<void> {
  if (shaders.some(sharesArrays)) await loadSharing()
}

/** Binds a dispatch. If some of its arrays share a binding, others copy their numbers before it and after it. */
export async function bind(
  host: GpuHost,
  run: Arrays,
  pipeline: Pipeline,
  { values, size }: Pick<Dispatch, 'values' | 'size'>,
): Promise<readonly BoundDispatch[]> {
  if (!sharesArrays(pipeline.shader)) return [await bound(host, run, pipeline, { values, size })]
  const sharing = await loadSharing()
  const { firsts, before, after } = await sharing(host, run, pipeline.shader, { pipelineOf, bound, bufferOf })
  const dispatch = await bound(host, run, pipeline, { values: { ...values, ...firsts }, size })
  return [...before, dispatch, ...after]
}
