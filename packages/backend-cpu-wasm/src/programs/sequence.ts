/**
 * Runs programs in order over arrays that stay on the device. The jobs are listed once and run many times.
 *
 * @module
 */
import { type Sequence, type Stage, UnsupportedWorkloadError } from '@manybody/core'
import { requireFixedLength, requireTrees } from '@manybody/core/backend'
import { DeviceArray } from '../host/buffer.ts'
import type { Host } from '../host/host.ts'
import type { Staged } from './either.ts'
import { WasmProgram } from './program.ts'

/** Binds the stages. @throws TypeError, RangeError, {@link UnsupportedWorkloadError} */
export async function sequenceOf(host: Host, stages: readonly Stage[]): Promise<Sequence> {
  const staged: Staged[] = []
  for (const { program, bindings, outputs, tree, ...ranges } of stages) {
    requireFixedLength(program, 'cpu-wasm')
    if (!(program instanceof WasmProgram) || program.host !== host)
      throw new TypeError('"program" expected a program of this device, got one of another device; prepare it again')
    const arrays = arraysOf(program, outputs)
    if (tree) requireTrees(program, ranges)
    staged.push(
      await host.inOrder(() =>
        tree ? program.treeStage(bindings, arrays, tree) : program.stage(bindings, arrays, ranges),
      ),
    )
  }
  const jobs = staged.flatMap((stage) => stage.jobs())
  return {
    run: (times, options = {}) => host.inOrder(() => host.execute(jobs, times, options)),
    dispose: () => {
      for (const stage of staged.splice(0)) stage.dispose()
    },
  }
}

function arraysOf(program: WasmProgram, outputs: Stage['outputs']): Record<string, DeviceArray> {
  const arrays: Record<string, DeviceArray> = {}
  for (const [name, buffer] of Object.entries(outputs)) {
    if (!(buffer instanceof DeviceArray && buffer.isIn(program.host.memory)))
      throw new TypeError(`"outputs.${name}" expected a buffer of this device, got one of another device`)
    const largest = largestWhole(program, name)
    if (program.host.info.precision === 'f32' && largest > 2 ** 24)
      throw new UnsupportedWorkloadError(
        program.workload.results.join(', '),
        'cpu-wasm',
        `a sequence keeps "${name}" as float32, which is exact up to 2^24, but it may reach ${largest}; use precision: 'f64', or run the program by itself`,
      )
    arrays[name] = buffer
  }
  return arrays
}

/** The largest number that an integer result may contain; 0 for other results. */
function largestWhole({ workload, shape }: WasmProgram, name: string): number {
  if (name !== 'index' && name !== 'count') return 0
  return 'grid' in workload ? workload.grid.cells.reduce((product, n) => product * n, 1) : shape.sources
}
