/**
 * Binds a dispatch, and copies the numbers of arrays that share a binding.
 *
 * @module
 */
import type { Dispatch } from '../../design/shader.ts'
import type { Pipeline } from '../host/compile.ts'
import type { GpuHost } from '../host/host.ts'
import { type Arrays, type BoundDispatch, bound } from './bound.ts'
import { sharing } from './sharing.ts'

/** Binds a dispatch. If some of its arrays share a binding, others copy their numbers before it and after it. */
export async function bind(
  host: GpuHost,
  run: Arrays,
  pipeline: Pipeline,
  { values, size }: Pick<Dispatch, 'values' | 'size'>,
): Promise<readonly BoundDispatch[]> {
  if (!pipeline.shader.resources.some(({ parts }) => parts)) return [await bound(host, run, pipeline, { values, size })]
  const { firsts, before, after } = await sharing(host, run, pipeline.shader)
  const dispatch = await bound(host, run, pipeline, { values: { ...values, ...firsts }, size })
  return [...before, dispatch, ...after]
}
