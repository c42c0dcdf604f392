/**
 * Trees in JavaScript as contenders: static-kdtree for the nearest in space, kdbush for neighbours within a radius in the
 * plane.
 */

import type { Dimension, PairWorkload } from '@manybody/core'
import { listsFrom } from '@manybody/core/backend'
import type { Contender, Results } from '../../src/contender.ts'
import { load } from '../packages.ts'
import { type Points, pointsOf } from '../points.ts'
import { rivalHere } from '../processor.ts'

/** Builds a tree and queries it for all points. */
type Ask = (points: Points, workload: PairWorkload) => Results

export const staticKdtree = (): Contender =>
  tree(
    'static-kdtree',
    ({ reduction }) => reduction === 'smallest',
    async () => {
      const createTree = await load<CreateTree>('static-kdtree')
      return ({ count, dimension, position }, { k = 1 }) => {
        const pointAt = (n: number) => Array.from(position.subarray(dimension * n, dimension * (n + 1)))
        const built = createTree(Array.from({ length: count }, (_, n) => pointAt(n)))
        const [index, distance] = [new Int32Array(k * count), new Float64Array(k * count)]
        for (let n = 0; n < count; n++) {
          const here = pointAt(n)
          let entry = k * n
          for (const other of built.knn(here, k + 1)) {
            if (other === n || entry === k * (n + 1)) continue
            index[entry] = other
            distance[entry++] = Math.hypot(...here.map((x, axis) => x - (position[dimension * other + axis] as number)))
          }
        }
        built.dispose()
        return { index, distance }
      }
    },
  )

export const kdbush = (): Contender =>
  tree(
    'kdbush',
    ({ reduction }, dimension) => reduction === 'list' && dimension === 2,
    async () => {
      const KDBush = await load<new (count: number, leaf: number, type: Float64ArrayConstructor) => Bush>('kdbush')
      return ({ count, position }, { domain }) => {
        const built = new KDBush(count, 64, Float64Array)
        for (let n = 0; n < count; n++) built.add(position[2 * n] as number, position[2 * n + 1] as number)
        built.finish()
        const rows = Array.from({ length: count }, (_, n) => {
          const [x, y] = [position[2 * n] as number, position[2 * n + 1] as number]
          return built.within(x, y, Number(domain.cutoff?.distance ?? 0)).filter((other) => other !== n)
        })
        return listsFrom(rows.map((row) => row.sort((a, b) => a - b))) as Results
      }
    },
  )

function tree(
  name: string,
  suits: (workload: PairWorkload, dimension: Dimension) => boolean,
  make: () => Promise<Ask>,
): Contender {
  return {
    name,
    rival: true,
    about: { name, precision: 'f64', threads: 1 },
    async prepare(problem) {
      const workload = problem.workload as PairWorkload
      if (!suits(workload, problem.dimension)) throw new Error(`nobody wrote ${problem.task} with ${name}`)
      const ask = await make()
      const points = pointsOf(problem, 'f64')
      let results: Results = {}
      return {
        who: rivalHere({ name, precision: 'f64', variant: 'tree' }),
        accuracy: { accumulation: 'f64', precision: 'f64' },
        async run() {
          results = ask(points, workload)
          return undefined
        },
        results: async () => results,
        dispose() {},
      }
    },
  }
}

/** The members of static-kdtree that are used here. */
type CreateTree = (points: readonly (readonly number[])[]) => {
  knn(point: readonly number[], most: number): readonly number[]
  dispose(): void
}

/** The members of kdbush that are used here. */
interface Bush {
  add(x: number, y: number): void
  finish(): void
  within(x: number, y: number, radius: number): number[]
}
