/**
 * Runs programs in order over arrays that stay on the device. The jobs are listed once and run many times.
 *
 * @module
 */
import type { Bindings, DeviceBuffer, Sequence, Stage } from '@manybody/core'
import { requireFixedLength, UnsupportedWorkloadError } from '@manybody/core/backend'
import { requireTrees } from '@manybody/core/far'
import { HeldArray } from '../host/held-array.ts'
import type { Host } from '../host/host.ts'
import type { Staged } from './either.ts'
import { WasmProgram } from './loaded-at-once.ts'
import { stageOf, treeStageOf } from './stages.ts'

/** Binds the stages. @throws TypeError, RangeError, {@link UnsupportedWorkloadError} */
export async function sequenceOf(host: Host, stages: readonly Stage[]): Promise<Sequence> {
  // A stage that occurs more than once has one placement, where its Verlet lists can stay.
  const staged = new Map<Stage, Staged>()
  for (const stage of new Set(stages)) {
    const { program, bindings, outputs, tree, carried: given, ...ranges } = stage
    requireFixedLength(program, 'cpu-wasm')
    if (!(program instanceof WasmProgram) || program.host !== host)
      throw new TypeError('"program" expected a program of this device, got one of another device; prepare it again')
    const arrays = arraysOf(program, outputs)
    if (tree) await requireTrees(program, ranges)
    const carried = given && arrayHere(program, 'carried', given)
    staged.set(
      stage,
      await host.inOrder(() =>
        tree
          ? treeStageOf(program, bindings, arrays, tree)
          : stageOf(program, bindings, arrays, { ...ranges, carried }),
      ),
    )
  }
  const jobs = stages.flatMap((stage) => staged.get(stage)?.jobs() ?? [])
  let now = stages
  return {
    renumber(others) {
      const keeps = others.every(({ program, bindings }, n) =>
        (program as WasmProgram).keepsModules(now[n]?.bindings as Bindings, bindings),
      )
      if (!keeps) return false
      now = others
      return host.inOrder(async () => {
        for (const [n, stage] of stages.entries()) staged.get(stage)?.renumber((now[n] as Stage).bindings)
        return true
      })
    },
    run: (times, options = {}) => host.inOrder(() => host.execute(jobs, times, options)),
    begin: (times, options) => host.begin(jobs, times, options),
    dispose: () => {
      for (const stage of staged.values()) stage.dispose()
      staged.clear()
    },
  }
}

function arraysOf(program: WasmProgram, outputs: Stage['outputs']): Record<string, HeldArray> {
  const arrays: Record<string, HeldArray> = {}
  for (const [name, buffer] of Object.entries(outputs)) {
    const array = arrayHere(program, `outputs.${name}`, buffer)
    const largest = largestWhole(program, name)
    if (program.host.info.precision === 'f32' && largest > 2 ** 24)
      throw new UnsupportedWorkloadError(
        program.workload.results.join(', '),
        'cpu-wasm',
        `a sequence keeps "${name}" as float32, which is exact up to 2^24, but it may reach ${largest}; use precision: 'f64', or run the program by itself`,
      )
    arrays[name] = array
  }
  return arrays
}

/** @throws TypeError */
function arrayHere(program: WasmProgram, name: string, buffer: DeviceBuffer): HeldArray {
  if (buffer instanceof HeldArray && buffer.isIn(program.host.memory)) return buffer
  throw new TypeError(`"${name}" expected a buffer of this device, got one of another device`)
}

/** The largest number that an integer result may contain; 0 for other results. */
function largestWhole({ workload, shape }: WasmProgram, name: string): number {
  if (name !== 'index' && name !== 'count') return 0
  return 'grid' in workload ? workload.grid.cells.reduce((product, n) => product * n, 1) : shape.sources
}
