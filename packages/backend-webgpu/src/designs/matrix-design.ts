/**
 * The design of an interaction matrix. It is computed and read back in blocks of rows, each as large as the limits of the
 * device and the time of a submission allow.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape } from '@manybody/core'
import { type Guard, Guarded, guardRule, type PairBody, pairBody } from '@manybody/core/backend'
import { evaluate } from '@manybody/core/expression'
import type { DesignRun, Step } from '../drivers/driver.ts'
import type { LoopLimits } from '../host/host.ts'
import { columnsPerGroup, matrixFold, matrixLoop, matrixWorkgroup, rowsPerGroup } from '../loops/matrix-loop.ts'
import { pairTexts } from '../parts/pair-texts.ts'
import type { Field, Shader } from '../wgsl/shader.ts'
import { spread } from '../wgsl/spread.ts'
import type { ProgramDesign } from './design.ts'

interface MatrixShader {
  readonly body: PairBody
  readonly loop: Shader
  /** Keys of the arrays that it reads. */
  readonly inputs: readonly string[]
}

/** @throws RangeError if there is a plan */
export function matrixDesign(
  workload: PairWorkload,
  shape: Shape,
  plan: Plan | undefined,
  limits: LoopLimits,
): ProgramDesign {
  if (plan)
    throw new RangeError(`"plan" expected none, because a matrix has only one loop, got ${JSON.stringify(plan)}`)
  const shaders = new Guarded(guardRule(workload, shape), (guard) => matrixShader(workload, shape, guard))
  return {
    variant: `matrix (workgroup ${matrixWorkgroup}, columns ${columnsPerGroup}, rows ${rowsPerGroup})`,
    accumulation: 'none',
    inputs: shaders.of().inputs,
    shaders: (parameters) => [shaders.of(parameters).loop],
    results(bindings, { targets = [0, bindings.targets.count] }, whole) {
      const columns = bindings.sources.count
      const rows = targets[1] - targets[0]
      const bytes = Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize)
      const room = Math.floor(bytes / 4 / Math.max(1, columns))
      const held = whole ? rows : Math.min(rows, room, 65535 * rowsPerGroup)
      return [{ name: 'value', type: 'f32', length: rows * columns, held: held * columns }]
    },
    interactions: (bindings, { targets = [0, bindings.targets.count], sources = [0, bindings.sources.count] }) =>
      (targets[1] - targets[0]) * (sources[1] - sources[0]),
    work: (run, [result]) => ({
      scratch: {},
      steps: result ? blocks(run, shaders.of(run.bindings.parameters), result.held) : [],
    }),
  }
}

function matrixShader(workload: PairWorkload, shape: Shape, guard: Guard): MatrixShader {
  const body = pairBody(workload, shape, { guard })
  const exclusions = workload.domain.exclusions.length > 0
  const { dimension, sameSet } = shape
  const texts = pairTexts({ body, dimension, fold: matrixFold, sameSet, exclusions })
  const run = body.run.map(({ name }): Field => ({ name, type: 'f32' }))
  return {
    body,
    loop: matrixLoop(`${workload.law.name}, matrix`, texts, run, exclusions),
    inputs: texts.resources.map((r) => r.key),
  }
}

function* blocks(
  { bindings, options, budget, whole = false }: DesignRun,
  { body, loop }: MatrixShader,
  held: number,
): Generator<Step> {
  const parameters = Object.fromEntries(body.run.map((b) => [b.name, evaluate(b.expr, bindings.parameters)]))
  const columns = bindings.sources.count
  const [targetFirst, targetLast] = options.targets ?? [0, bindings.targets.count]
  const [sourceFirst, sourceLast] = options.sources ?? [0, columns]
  const rows = targetLast - targetFirst
  const initial = options.initial?.value
  for (let first = 0; first < rows; ) {
    const timed = whole ? rows : Math.max(rowsPerGroup, Math.floor(budget() / columns))
    const block = Math.min(rows - first, held / columns, timed)
    const [at, length] = [first * columns, block * columns]
    const values = {
      ...parameters,
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
      dispatches: [{ shader: loop, values, size: [x, Math.ceil(block / rowsPerGroup), z] }],
      interactions: length,
      done: first >= rows ? 1 : first / rows,
      reads: [{ name: 'value', at, length }],
      ...(initial && { writes: { value: Float32Array.from(initial.subarray(at, at + length)) } }),
    }
  }
}
