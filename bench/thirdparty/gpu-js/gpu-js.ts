/**
 * gpu.js as a contender, in each of its modes, written in the way that suits it best: one thread for each target, and one flat array for
 * each coordinate. From such arrays, its compiler for processors reads four targets at a time. Node and pages load it in their own ways.
 */

import type { Contender } from '../../src/contender.ts'
import type { Who } from '../../src/record.ts'
import { type LoopName, loopOf, type Points, pointsOf } from '../points.ts'

export type GpuJsMode = 'cpu' | 'webasm' | 'webasm, threads' | 'webgl' | 'webgl2' | 'webgpu'

/** How to load gpu.js, and the device that it runs on. */
export interface GpuJsHost {
  load(): Promise<GpuJs>
  readonly threads: number
  deviceOf(mode: GpuJsMode): Promise<Pick<Who, 'device' | 'kind'>>
}

/** The members of the class of gpu.js that are used here. */
export type GpuJs = new (settings: {
  readonly mode: string
}) => {
  createKernel(source: string, settings: object): Kernel
  destroy(): Promise<void>
}

interface Kernel {
  (...args: readonly ArrayLike<number>[]): Output | Promise<Output>
  /** The mode that really runs (both modes of WebGL are called "gpu"), and why it may not be the requested one. */
  readonly kernel: { readonly fallbackReason: string | null; readonly constructor: { readonly mode: string } }
}

/** One number or one short array for each target. */
type Output = ArrayLike<number | ArrayLike<number>>

/** gpu.js uses threads from this number of outputs on. */
const threadsFrom = 4096

export function gpuJs(mode: GpuJsMode, host: GpuJsHost): Contender {
  return {
    name: `gpu.js ${mode}`,
    rival: true,
    async prepare(problem) {
      const loop = loopOf(problem)
      const kernel = kernels[loop]
      if (loop === 'nearest') throw new Error(`gpu.js keeps no arrays in a thread, as ${problem.task} needs`)
      if (!kernel) throw new Error(`nobody wrote ${problem.name}, ${problem.task} for gpu.js`)
      const [name = mode, threads] = mode.split(', ')
      const points = pointsOf(problem, 'f32')
      const outputs = kernel.square ? points.count ** 2 : points.count
      if (threads && outputs < threadsFrom)
        throw new Error(`gpu.js uses threads from ${threadsFrom} outputs on, this has ${outputs}`)
      const device = await host.deviceOf(mode)
      const GPU = await host.load()
      const gpu = new GPU({ mode: name })
      const args = [...points.axes, ...kernel.reads.map((attribute) => points.attributes[attribute] ?? [])]
      const constants = { count: points.count, ...kernel.constants?.(points) }
      const run = gpu.createKernel(sourceOf(kernel), {
        output: kernel.square ? [points.count, points.count] : [points.count],
        constants,
        precision: 'single',
        tactic: 'precision',
        ...(threads ? { asyncMode: true, poolSize: host.threads } : {}),
      })
      let output: Output = []
      return {
        who: {
          name: `gpu.js ${mode}`,
          rival: true,
          ...device,
          precision: 'f32',
          variant: 'every ordered pair',
          ...(device.kind === 'cpu' ? { threads: threads ? host.threads : 1 } : {}),
        },
        accuracy: { accumulation: 'running', precision: 'f32' },
        async run() {
          output = await run(...args)
          // If a mode is not possible, gpu.js falls back to plain JavaScript with only a warning.
          const ran = run.kernel.constructor.mode
          if (ran !== (name.startsWith('webgl') ? 'gpu' : name))
            throw new Error(`gpu.js ran ${ran} in place of ${name}: ${run.kernel.fallbackReason}`)
          return undefined
        },
        results: async () => kernel.results(output),
        dispose: () => void gpu.destroy(),
      }
    },
  }
}

interface KernelText {
  /** The attributes that it reads besides the coordinates, in order. */
  readonly reads: readonly string[]
  readonly constants?: (points: Points) => Readonly<Record<string, number>>
  /** Code before the loop over sources, in it, and after it. It may use `dx, dy, dz` and `r2`. */
  readonly first: string
  readonly pair: string
  readonly last: string
  /** A displacement along an axis, instead of the plain difference. */
  readonly displacement?: (axis: string) => string
  /** Whether there is one thread for each pair instead of each target. */
  readonly square?: boolean
  readonly results: (output: Output) => Readonly<Record<string, ArrayLike<number>>>
}

const flat = (output: Output): Float32Array => {
  const width = (output[0] as ArrayLike<number>).length
  const all = new Float32Array(output.length * width)
  for (let t = 0; t < output.length; t++) all.set(output[t] as ArrayLike<number>, t * width)
  return all
}
const component = (output: Output, c: number): Float32Array =>
  Float32Array.from(output, (one) => (one as ArrayLike<number>)[c] as number)

const vector = {
  first: 'let fx = 0; let fy = 0; let fz = 0;',
  add: 'fx += c * dx; fy += c * dy; fz += c * dz;',
}

const kernels: Readonly<Partial<Record<LoopName, KernelText>>> = {
  gravity: {
    reads: ['mass'],
    constants: ({ parameters: { G = 1, softening = 0 } }) => ({ G, softening2: softening ** 2 }),
    first: vector.first,
    pair: `const s = r2 + this.constants.softening2; const c = mass[j] / (s * Math.sqrt(s)); ${vector.add}`,
    last: 'return [this.constants.G * fx, this.constants.G * fy, this.constants.G * fz];',
    results: (output) => ({ acceleration: flat(output) }),
  },
  coulomb: {
    reads: ['charge'],
    constants: ({ parameters: { k = 1 } }) => ({ k }),
    first: vector.first,
    pair: `const s = Math.max(r2, 1e-20); const c = charge[j] / (s * Math.sqrt(s)); ${vector.add}`,
    last: 'const f = -this.constants.k * charge[this.thread.x]; return [f * fx, f * fy, f * fz];',
    results: (output) => ({ force: flat(output) }),
  },
  lennardJones: {
    reads: ['sigma', 'epsilon'],
    constants: ({ parameters: { cutoff = 0, boxX = 1, boxY = 1, boxZ = 1 } }) => ({
      cutoff2: cutoff ** 2,
      boxX,
      boxY,
      boxZ,
    }),
    first: `${vector.first} const ownSigma = sigma[this.thread.x];`,
    displacement: (axis) => {
      const edge = `this.constants.box${axis.toUpperCase()}`
      return `const e${axis} = ${axis}[j] - own${axis}; const d${axis} = e${axis} - ${edge} * Math.floor(e${axis} / ${edge} + 0.5);`
    },
    pair: `if (r2 > 0) { if (r2 <= this.constants.cutoff2) {
      const radius = 0.5 * (ownSigma + sigma[j]); const s2 = radius * radius / r2; const s6 = s2 * s2 * s2;
      const c = Math.sqrt(epsilon[j]) * s6 * (2 * s6 - 1) / r2; ${vector.add} } }`,
    last: 'const f = -24 * Math.sqrt(epsilon[this.thread.x]); return [f * fx, f * fy, f * fz];',
    results: (output) => ({ force: flat(output) }),
  },
  gaussian: {
    reads: ['weight'],
    constants: ({ parameters: { height = 1, width = 1 } }) => ({ height, steepness: -0.5 / width ** 2 }),
    first: 'let total = 0;',
    pair: 'if (j !== this.thread.x) { total += weight[j] * Math.exp(this.constants.steepness * r2); }',
    last: 'return this.constants.height * weight[this.thread.x] * total;',
    results: (output) => ({ potential: output as ArrayLike<number> }),
  },
  argmin: {
    reads: [],
    first: 'let least = 1e30; let index = -1;',
    pair: 'if (j !== this.thread.x) { if (r2 < least) { least = r2; index = j; } }',
    last: 'return [least, index];',
    results: (output) => ({ value: component(output, 0), index: component(output, 1) }),
  },
  logsumexp: {
    reads: [],
    first: 'let largest = -1e30; let total = 0;',
    pair: `if (j !== this.thread.x) {
      const larger = Math.max(largest, -r2); total = total * Math.exp(largest - larger) + Math.exp(-r2 - larger); largest = larger; }`,
    last: 'return largest + Math.log(total);',
    results: (output) => ({ value: output as ArrayLike<number> }),
  },
  matrix: {
    reads: [],
    square: true,
    first: '',
    pair: '',
    last: 'let e = Math.exp(-r2); if (j === i) { e = 0; } return e;',
    results: (output) => ({ value: flat(output) }),
  },
}

/** The kernel as gpu.js needs it: the text of one function. */
function sourceOf({ reads, first, pair, last, square, displacement = difference }: KernelText): string {
  const target = square ? 'y' : 'x'
  const distance = `${axes.map(displacement).join(' ')} const r2 = dx * dx + dy * dy + dz * dz;`
  const own = axes.map((axis) => `const own${axis} = ${axis}[i];`).join(' ')
  const loop = square
    ? `const j = this.thread.x; ${distance}`
    : `for (let j = 0; j < this.constants.count; j++) { ${distance} ${pair} }`
  return `function (${[...axes, ...reads].join(', ')}) {
    const i = this.thread.${target}; ${own} ${first} ${loop} ${last}
  }`
}

const axes = ['x', 'y', 'z']
const difference = (axis: string): string => `const d${axis} = ${axis}[j] - own${axis};`
