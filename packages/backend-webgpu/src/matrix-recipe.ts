/**
 * The recipe of an interaction matrix: computed in blocks of rows, each as large as the device binds and the time of a
 * submission allows, and read back block by block.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { isSingular, pairBody, termOf } from '@manybody/core/backend'
import { evaluate } from '@manybody/core/expression'
import { compile, type Pipeline } from './compile.ts'
import type { GpuHost } from './gpu-host.ts'
import { columnsPerGroup, matrixFold, matrixLoop, matrixWorkgroup, rowsPerGroup } from './matrix-loop.ts'
import { write } from './memory.ts'
import { pairTexts } from './pair-texts.ts'
import { dispatchOf, type Recipe, type Step, type StepContext, spread } from './recipe.ts'
import type { Shader } from './shader.ts'

/** The generated shader of a matrix, with the expressions of its run. */
export function matrixShader(
  workload: PairWorkload,
  shape: Shape,
  guard: boolean,
): { readonly body: ReturnType<typeof pairBody>; readonly loop: Shader; readonly inputs: readonly string[] } {
  const body = pairBody(workload, shape, { guard })
  const exclusions = workload.domain.exclusions.length > 0
  const { dimension, sameSet } = shape
  const texts = pairTexts({ body, dimension, fold: matrixFold, sameSet, exclusions })
  const run = body.run.map(({ name }) => ({ name, type: 'f32' as const }))
  return {
    body,
    loop: matrixLoop(`${workload.law.name}, matrix`, texts, run, exclusions),
    inputs: texts.resources.map((r) => r.key),
  }
}

export async function matrixRecipe(host: GpuHost, workload: PairWorkload, shape: Shape): Promise<Recipe> {
  const term = termOf(workload, shape.dimension)
  const made = new Map<boolean, Promise<Pipeline>>()
  const pipelineFor = (guard: boolean): Promise<Pipeline> => {
    const known = made.get(guard)
    if (known !== undefined) return known
    const pipeline = compile(host, matrixShader(workload, shape, guard).loop)
    made.set(guard, pipeline)
    return pipeline
  }
  const singular = (parameters: Readonly<Record<string, number>>) => isSingular(term, parameters)
  const { inputs } = matrixShader(workload, shape, true)
  await pipelineFor(singular(workload.law.parameters))
  return {
    variant: `matrix (workgroup ${matrixWorkgroup}, columns ${columnsPerGroup}, rows ${rowsPerGroup})`,
    accumulation: 'compensated',
    inputs,
    results(bindings, { targets = [0, bindings.targets.count] }, whole) {
      const columns = bindings.sources.count
      const rows = targets[1] - targets[0]
      const room = Math.floor((host.info.limits.resultBytes ?? 0) / 4 / Math.max(1, columns))
      const held = whole ? rows : Math.min(rows, room, 65535 * rowsPerGroup)
      return [{ name: 'value', type: 'f32', length: rows * columns, held: held * columns }]
    },
    interactions: (bindings, { targets = [0, bindings.targets.count], sources = [0, bindings.sources.count] }) =>
      (targets[1] - targets[0]) * (sources[1] - sources[0]),
    ready: async (bindings) => {
      await pipelineFor(singular(bindings.parameters))
    },
    async *steps(context, [result]) {
      const guard = singular(context.bindings.parameters)
      const { body } = matrixShader(workload, shape, guard)
      const run = body.run.map((b): [string, number] => [b.name, evaluate(b.expr, context.bindings.parameters)])
      if (result) yield* blocks(context, await pipelineFor(guard), Object.fromEntries(run), result.held)
    },
  }
}

async function* blocks(
  context: StepContext,
  pipeline: Pipeline,
  run: Readonly<Record<string, number>>,
  held: number,
): AsyncGenerator<Step> {
  const { bindings, options, buffers, host } = context
  const columns = bindings.sources.count
  const [targetFirst, targetLast] = options.targets ?? [0, bindings.targets.count]
  const [sourceFirst, sourceLast] = options.sources ?? [0, columns]
  const rows = targetLast - targetFirst
  const initial = options.initial?.value
  for (let first = 0; first < rows; ) {
    const block = Math.min(rows - first, held / columns, Math.max(rowsPerGroup, Math.floor(context.budget() / columns)))
    const [at, length] = [first * columns, block * columns]
    const buffer = buffers.get('result.value')
    if (initial && buffer) write(host, buffer, Float32Array.from(initial.subarray(at, at + length)))
    const values = {
      ...run,
      targetFirst: targetFirst + first,
      targetCount: block,
      sourceFirst,
      sourceLast,
      sourceCount: columns,
      carry: initial ? 1 : 0,
    }
    const [x, z] = spread(Math.ceil(columns / columnsPerGroup))
    first += block
    yield {
      dispatches: [await dispatchOf(context, pipeline, values, [x, Math.ceil(block / rowsPerGroup), z])],
      interactions: length,
      done: first >= rows ? 1 : first / rows,
      reads: [{ name: 'value', at, length }],
    }
  }
}
