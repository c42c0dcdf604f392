/**
 * Trees in JavaScript as contenders: static-kdtree for the nearest in space, kdbush for neighbours within a radius in the
 * plane.
 */

import type { PairWorkload } from '@manybody/core'
import { listsFrom } from '@manybody/core/backend'
import type { Contender, Problem, Results } from '../../src/contender.ts'
import { load } from '../packages.ts'
import { treeRival } from '../tree-rival.ts'

const reductionOf = ({ workload }: Problem): string => (workload as PairWorkload).reduction

export const staticKdtree = (): Contender =>
  treeRival({
    name: 'static-kdtree',
    suits: (problem) => reductionOf(problem) === 'smallest',
    async build({ count, dimension, position, k }) {
      const createTree = await load<CreateTree>('static-kdtree')
      return () => {
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
        return () => ({ index, distance })
      }
    },
  })

export const kdbush = (): Contender =>
  treeRival({
    name: 'kdbush',
    suits: (problem) => reductionOf(problem) === 'list' && problem.dimension === 2,
    async build({ count, position }, { workload }) {
      const KDBush = await load<new (count: number, leaf: number, type: Float64ArrayConstructor) => Bush>('kdbush')
      const radius = Number((workload as PairWorkload).domain.cutoff?.distance ?? 0)
      return () => {
        const built = new KDBush(count, 64, Float64Array)
        for (let n = 0; n < count; n++) built.add(position[2 * n] as number, position[2 * n + 1] as number)
        built.finish()
        const rows = Array.from({ length: count }, (_, n) => {
          const [x, y] = [position[2 * n] as number, position[2 * n + 1] as number]
          return built.within(x, y, radius).filter((other) => other !== n)
        })
        const lists = listsFrom(rows.map((row) => row.sort((a, b) => a - b))) as Results
        return () => lists
      }
    },
  })

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
