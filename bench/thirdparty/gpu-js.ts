/**
 * gpu.js as a contender on the processor, in each of its modes, written in the way that suits it best: one thread for each target, and one
 * flat array for each coordinate. From such arrays, its compiler reads four targets at a time.
 */

import { availableParallelism } from 'node:os'
import type { Contender } from '../src/contender.ts'
import { attributeOf, displacementCode, type LoopText, loopTextOf, ownCode, xyz } from './javascript/texts.ts'
import { load } from './packages.ts'
import { forTrees, loopOf, pointsOf } from './points.ts'
import { rivalHere } from './processor.ts'

export type GpuJsMode = 'cpu' | 'webasm' | 'webasm, threads'

/** The members of the class of gpu.js that are used here. */
export type GpuJs = new (settings: {
  readonly mode: string
}) => {
  createKernel(source: string, settings: object): Kernel
  destroy(): Promise<void>
}

interface Kernel {
  (...args: readonly ArrayLike<number>[]): Output | Promise<Output>
  /** The mode that really runs, and why it may not be the requested one. */
  readonly kernel: { readonly fallbackReason: string | null; readonly constructor: { readonly mode: string } }
}

/** One number or one short array for each target. */
type Output = ArrayLike<number | ArrayLike<number>>

/** gpu.js uses threads from this number of outputs on. */
const threadsFrom = 4096

/** @param loadClass loads its class */
export function gpuJs(mode: GpuJsMode, loadClass: () => Promise<GpuJs> = packaged): Contender {
  return {
    name: `gpu.js ${mode}`,
    rival: true,
    async prepare(problem) {
      const loop = loopOf(problem)
      const text = loopTextOf(loop)
      if (loop === 'nearest') throw new Error(`gpu.js keeps no arrays in a thread, as ${problem.task} needs`)
      if (!text || forTrees(loop)) throw new Error(`nobody wrote ${problem.name}, ${problem.task} for gpu.js`)
      const [name = mode, threads] = mode.split(', ')
      const points = pointsOf(problem, 'f32')
      const { square = false } = text
      const outputs = square ? points.count ** 2 : points.count
      if (threads && outputs < threadsFrom)
        throw new Error(`gpu.js uses threads from ${threadsFrom} outputs on, this has ${outputs}`)
      const GPU = await loadClass()
      const gpu = new GPU({ mode: name })
      const args = [...points.axes, ...text.reads.map((attribute) => attributeOf(points, attribute))]
      const constants = { count: points.count, ...text.constants?.(points) }
      const run = gpu.createKernel(sourceOf(text, Object.keys(constants)), {
        output: square ? [points.count, points.count] : [points.count],
        constants,
        precision: 'single',
        tactic: 'precision',
        ...(threads ? { asyncMode: true, poolSize: availableParallelism() } : {}),
      })
      let output: Output = []
      return {
        who: rivalHere({
          name: `gpu.js ${mode}`,
          precision: 'f32',
          variant: 'every ordered pair',
          threads: threads ? availableParallelism() : 1,
        }),
        accuracy: { accumulation: 'running', precision: 'f32' },
        async run() {
          output = await run(...args)
          // If a mode is not possible, gpu.js falls back to plain JavaScript with only a warning.
          const ran = run.kernel.constructor.mode
          if (ran !== name) throw new Error(`gpu.js ran ${ran} in place of ${name}: ${run.kernel.fallbackReason}`)
          return undefined
        },
        results: async () => resultsIn(text, output, square),
        dispose: () => void gpu.destroy(),
      }
    },
  }
}

const packaged = async (): Promise<GpuJs> => (await load<{ readonly GPU: GpuJs }>('gpu.js')).GPU

/** The results by name, from an output with all their components. */
function resultsIn({ last }: LoopText, output: Output, square: boolean): Readonly<Record<string, ArrayLike<number>>> {
  const width = Object.values(last).flat().length
  if (square)
    return {
      value: Float32Array.from(Array.from(output as ArrayLike<ArrayLike<number>>).flatMap((row) => Array.from(row))),
    }
  let first = 0
  const entries = Object.entries(last).map(([name, { length }]) => {
    const from = first
    first += length
    if (width === 1) return [name, output as ArrayLike<number>] as const
    const all = new Float32Array(output.length * length)
    for (let t = 0; t < output.length; t++)
      for (let c = 0; c < length; c++) all[t * length + c] = (output[t] as ArrayLike<number>)[from + c] as number
    return [name, all] as const
  })
  return Object.fromEntries(entries)
}

/** The kernel as gpu.js needs it: the text of one function, which reads its constants from `this`. */
function sourceOf({ reads, first, pair, last, square, displacement }: LoopText, constants: readonly string[]): string {
  const visit = `${displacementCode(xyz, displacement)} ${pair}`
  const parts = Object.values(last).flat()
  const end = `return ${parts.length > 1 ? `[${parts.join(', ')}]` : parts[0]};`
  const loop = square ? `const j = this.thread.x; ${visit}` : `for (let j = 0; j < count; j++) { ${visit} }`
  const code = `${ownCode(xyz, reads, `${visit} ${end}`)} ${first} ${loop} ${end}`
  return `function (${[...xyz, ...reads].join(', ')}) {
    const i = this.thread.${square ? 'y' : 'x'}; ${code.replace(new RegExp(`\\b(${constants.join('|')})\\b`, 'g'), 'this.constants.$1')}
  }`
}
