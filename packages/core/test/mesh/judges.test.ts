// The setting that measures another: its grid must not be larger than that of the run. Sizes alone are computed.

import { describe, expect, it } from 'vitest'
import { rightBox, type Triple } from '../../src/methods/mesh/mesh-box.ts'
import { judgeOf, rungsOf } from '../../src/methods/mesh/rungs.ts'
import {
  boxSpace,
  gridSizes,
  type MeshSetting,
  type MeshSpace,
  mostNumbers,
  numbersOf,
  sizesOf,
} from '../../src/methods/mesh/settings.ts'
import { slabSpace } from '../../src/methods/mesh/slab-space.ts'

type SpaceOf = (setting: MeshSetting, reach?: number) => MeshSpace

const inBox =
  (lengths: Triple, sources: number): SpaceOf =>
  (setting, reach) =>
    boxSpace(setting, rightBox(lengths), { sources, transformer: 'threads' }, reach)

const inSlab =
  ([x, y, edge]: Triple, sources: number): SpaceOf =>
  (setting, reach) =>
    slabSpace(
      setting,
      { axis: 2, lengths: [x, y, 0] },
      { edges: [x, y, edge] },
      { sources, transformer: 'threads' },
      reach,
    )

/** The numbers of the grids of all settings that a run can have with a short reach, and those of their judges. */
function gridsOf(rungs: readonly MeshSetting[], spaceOf: SpaceOf) {
  return rungs.flatMap((setting) => {
    const space = spaceOf(setting)
    const own = numbersOf(sizesOf(setting, space))
    if (own > mostNumbers || 2.1 * space.reach > space.longest) return []
    const judge = judgeOf(rungs, setting, space, spaceOf)
    return [
      { run: setting, own, judge: numbersOf(gridSizes(judge.setting, spaceOf(judge.setting, judge.reach))), ...judge },
    ]
  })
}

describe('no judge has a larger grid than its run', () => {
  it.each<[string, Triple, number]>([
    ['flat', [1, 20, 20], 1.5e6],
    ['like a needle', [1, 1, 400], 2e6],
    ['flat with fewer points', [1, 20, 20], 6e5],
    ['a cube', [1, 1, 1], 1e6],
  ])('in a box that is %s', (_, lengths, sources) => {
    const grids = gridsOf(rungsOf(false), inBox(lengths, sources))
    expect(grids.length).toBeGreaterThan(4)
    expect(grids.filter(({ own, judge }) => judge > 1.05 * own)).toEqual([])
  })

  it.each<[string, Triple, number]>([
    ['thin', [20, 20, 1], 1e6],
    ['long', [1, 1, 40], 1e6],
  ])('in a slab that is %s', (_, extent, sources) => {
    const grids = gridsOf(rungsOf(true), inSlab(extent, sources))
    expect(grids.length).toBeGreaterThan(4)
    expect(grids.filter(({ own, judge }) => judge > 1.05 * own)).toEqual([])
  })
})

it('a judge of many points is finer. In a cube it has the window of its run, and in a slab a wider one', () => {
  const cube = gridsOf(rungsOf(false), inBox([1, 1, 1], 1e5))
  expect(cube.map(({ setting }) => [setting.finer, setting.width])).toEqual(cube.map(({ run }) => [4, run.width]))
  const slab = gridsOf(rungsOf(true), inSlab([1, 1, 1], 1e5))
  expect(slab.map(({ setting }) => [setting.finer, setting.width])).toEqual(slab.map(({ run }) => [4, run.width + 1]))
})
