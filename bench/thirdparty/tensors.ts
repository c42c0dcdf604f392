/**
 * TensorFlow.js as a contender, in the tensor formulation: each operation of the law runs over a whole block of the pair matrix and leaves
 * an array. Blocks of rows keep such arrays to a few MB, which is also fastest.
 */

import { dirname } from 'node:path'
import type { Contender } from '../src/contender.ts'
import { load, resolved } from './packages.ts'
import { type LoopName, loopOf, type Points, pointsOf, resultsOf } from './points.ts'
import { rivalHere } from './processor.ts'

/** Numbers in one array of a block: 64 rows of 4096 points. */
const blockNumbers = 2 ** 18

export function tensors(): Contender {
  return {
    name: 'TensorFlow.js wasm',
    rival: true,
    async prepare(problem) {
      const loop = loops[loopOf(problem)]
      if (!loop) throw new Error(`nobody wrote ${problem.name}, ${problem.task} with tensors`)
      const tf = await opened()
      const points = pointsOf(problem, 'f32')
      const { count } = points
      const row = (array: ArrayLike<number>) => tf.tensor2d(array, [1, count])
      const column = (array: ArrayLike<number>) => tf.tensor2d(array, [count, 1])
      const sources = tableOf(points, row)
      const targets = tableOf(points, column)
      const rows = Math.max(1, Math.min(count, Math.floor(blockNumbers / count)))
      const results = resultsOf(problem, 'f32')
      return {
        who: rivalHere({ name: 'TensorFlow.js wasm', precision: 'f32', variant: `blocks of ${rows} rows` }),
        accuracy: { accumulation: 'running', precision: 'f32' },
        async run() {
          for (let first = 0; first < count; first += rows) {
            const size = Math.min(rows, count - first)
            const block = tf.tidy(() => {
              const own = Object.fromEntries(
                Object.entries(targets).map(([name, all]) => [name, tf.slice(all, [first, 0], [size, 1])]),
              )
              return loop({ tf, i: own, j: sources, points })
            })
            for (const [name, tensor] of Object.entries(block)) {
              const numbers = await tensor.data()
              ;(results[name] as Float32Array).set(numbers, (first * numbers.length) / size)
              tensor.dispose()
            }
          }
          return undefined
        },
        results: async () => results,
        dispose: () =>
          [...Object.values(sources), ...Object.values(targets)].forEach((tensor) => void tensor.dispose()),
      }
    },
  }
}

/** Coordinates, attributes and the index of each point, by name. */
function tableOf(points: Points, make: (array: ArrayLike<number>) => Tensor): Readonly<Record<string, Tensor>> {
  const { axes, attributes, count } = points
  const index = Float32Array.from({ length: count }, (_, i) => i)
  const coordinates = axes.map((array, axis) => ['xyz'[axis] ?? '', array] as const)
  const all = [...coordinates, ...Object.entries(attributes), ['index', index] as const]
  return Object.fromEntries(all.map(([name, array]) => [name, make(array)]))
}

async function opened(): Promise<TensorFlow> {
  const tf = await load<TensorFlow>('@tensorflow/tfjs-core')
  tf.env().set('PROD', true)
  const wasm = await load<{ setWasmPaths(folder: string): void }>('@tensorflow/tfjs-backend-wasm')
  wasm.setWasmPaths(`${dirname(resolved('@tensorflow/tfjs-backend-wasm'))}/`)
  if (!(await tf.setBackend('wasm'))) throw new Error('TensorFlow.js could not start its wasm backend')
  return tf
}

interface Block {
  readonly tf: TensorFlow
  /** A column for targets, a row for sources. */
  readonly i: Readonly<Record<string, Tensor>>
  readonly j: Readonly<Record<string, Tensor>>
  readonly points: Points
}

type Loop = (block: Block) => Readonly<Record<string, Tensor>>

const displacements = ({ tf, i, j }: Block): readonly Tensor[] =>
  ['x', 'y', 'z'].map((axis) => tf.sub(j[axis] as Tensor, i[axis] as Tensor))

const squares = ({ tf }: Block, [dx, dy, dz]: readonly Tensor[]): Tensor =>
  tf.add(tf.add(tf.square(dx as Tensor), tf.square(dy as Tensor)), tf.square(dz as Tensor))

/** Sums of a coefficient times the displacements, `[size, 3]`. */
const along = ({ tf }: Block, c: Tensor, d: readonly Tensor[]): Tensor =>
  tf.stack(
    d.map((axis) => tf.sum(tf.mul(c, axis), 1)),
    1,
  )

/** Squared distances, larger than all others for a point with itself. */
function others(block: Block): Tensor {
  const { tf, i, j } = block
  const itself = tf.cast(tf.equal(i.index as Tensor, j.index as Tensor), 'float32')
  return tf.add(squares(block, displacements(block)), tf.mul(itself, 1e30))
}

const loops: Readonly<Partial<Record<LoopName, Loop>>> = {
  gravity(block) {
    const { tf, j, points } = block
    const { G = 1, softening = 0 } = points.parameters
    const d = displacements(block)
    const w = tf.rsqrt(tf.add(squares(block, d), softening ** 2))
    return { acceleration: tf.mul(along(block, tf.mul(j.mass as Tensor, tf.mul(w, tf.square(w))), d), G) }
  },
  coulomb(block) {
    const { tf, i, j, points } = block
    const d = displacements(block)
    const w = tf.rsqrt(tf.maximum(squares(block, d), 1e-20))
    const sums = along(block, tf.mul(j.charge as Tensor, tf.mul(w, tf.square(w))), d)
    return { force: tf.mul(sums, tf.mul(i.charge as Tensor, -(points.parameters.k ?? 1))) }
  },
  lennardJones(block) {
    const { tf, i, j, points } = block
    const { cutoff = 0, boxX = 1, boxY = 1, boxZ = 1 } = points.parameters
    const edges = [boxX, boxY, boxZ]
    const d = displacements(block).map((e, axis) => {
      const edge = edges[axis] ?? 1
      return tf.sub(e, tf.mul(tf.round(tf.mul(e, 1 / edge)), edge))
    })
    const r2 = squares(block, d)
    const keep = tf.logicalAnd(tf.greater(r2, 0), tf.lessEqual(r2, cutoff ** 2))
    const safe = tf.where(keep, r2, tf.fill(r2.shape, 1e10))
    const radius = tf.mul(tf.add(i.sigma as Tensor, j.sigma as Tensor), 0.5)
    const s2 = tf.div(tf.square(radius), safe)
    const s6 = tf.mul(s2, tf.square(s2))
    const c = tf.div(tf.mul(s6, tf.sub(tf.mul(s6, 2), 1)), safe)
    const sums = along(block, tf.mul(c, tf.sqrt(j.epsilon as Tensor)), d)
    return { force: tf.mul(sums, tf.mul(tf.sqrt(i.epsilon as Tensor), -24)) }
  },
  gaussian(block) {
    const { tf, i, j, points } = block
    const { height = 1, width = 1 } = points.parameters
    const terms = tf.exp(tf.mul(others(block), -0.5 / width ** 2))
    const sums = tf.sum(tf.mul(terms, j.weight as Tensor), 1, true)
    return { potential: tf.mul(tf.mul(sums, i.weight as Tensor), height) }
  },
  matrix(block) {
    return { value: block.tf.exp(block.tf.neg(others(block))) }
  },
}

interface Tensor {
  readonly shape: readonly number[]
  data(): Promise<ArrayLike<number>>
  dispose(): void
}

/** The operations on tensors and numbers that are used here. */
type Operation =
  | ('slice' | 'stack' | 'fill' | 'cast' | 'where' | 'tensor2d')
  | ('add' | 'sub' | 'mul' | 'div' | 'neg' | 'square' | 'sqrt' | 'rsqrt' | 'exp' | 'round')
  | ('maximum' | 'equal' | 'greater' | 'lessEqual' | 'logicalAnd')
  | 'sum'

interface TensorFlow extends Readonly<Record<Operation, (...operands: readonly unknown[]) => Tensor>> {
  env(): { set(flag: string, value: boolean): void }
  setBackend(name: string): Promise<boolean>
  tidy<T>(work: () => T): T
}
