/**
 * The phase `displacements` of Verlet lists: whether some point has moved farther since their rebuild than the lists allow.
 *
 * The host says how far that is, and reads the answer (`run/placement/lasting.ts`). Both precisions compute it in float64.
 *
 * @module
 */
import { displacementRecord } from '../../design/list-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { define } from '../language/kernel.ts'

/** Adds the phase. Its units are points. */
export function defineDisplacements(writer: ModuleWriter, dimension: number): void {
  const { bytes, number } = writer.vector
  const slot = (name: string) => writer.offset(name)
  define(writer.module)`
    scalar number = ${number}
    fn displacements(block, scratch, first, last) {
      let record = i32[block + ${slot('displacements')}]
      let now = i32[block + ${slot('positionNow')}]
      let before = i32[block + ${slot('positionOfLists')}]
      let most2 = f64[record + ${displacementRecord.most2}]
      var far = 0
      for point in first..last {
        let at = point * ${bytes * dimension}
        unroll axis of 0..${dimension} {
          let d[axis] = f64(number[now + at + ${bytes} * axis]) - f64(number[before + at + ${bytes} * axis])
        }
        // A coordinate that is not a number has moved.
        far |= !(sum(axis of 0..${dimension}: d[axis] * d[axis]) <= most2)
      }
      if far { i32[record + ${displacementRecord.far}] = 1 }
    }`
}
