// Designs are plain data: copies by JSON, or by messages, are the same. tests/gpu/webgl/designs.test.ts runs such copies.

import { guardRule } from '@manybody/core/expression'
import { expect, test } from 'vitest'
import { designOf } from '../src/compile/designs/designs.ts'
import { naiveDesign } from '../src/compile/designs/naive-design.ts'
import { dialectFor, dialects } from '../src/compile/glsl/dialect.ts'
import type { ProgramDesign } from '../src/design/design.ts'
import { points, printed, shapeOf, softened } from './printed.ts'

const designs: readonly (readonly [string, ProgramDesign])[] = [
  ...printed.flatMap(([title, , workload]) =>
    ([false, true, 'per-pair'] as const).flatMap((guard) =>
      [dialects[1], dialects[2], dialectFor(2, 'hardware')].map(
        (dialect) =>
          [
            `${title} (WebGL${dialect.version}, guard ${guard})`,
            designOf(workload, shapeOf(workload), dialect, guard),
          ] as const,
      ),
    ),
  ),
  ['the naive loop', naiveDesign(softened, points, false)],
]

test.each(designs)('%s', (_, design) => {
  expect(structuredClone(design)).toStrictEqual(design)
  expect(JSON.parse(JSON.stringify(design))).toStrictEqual(design)
})

test.for(printed)('%s: the rule of its guard', ([, , workload]) => {
  const rule = guardRule(workload, shapeOf(workload))
  expect(structuredClone(rule)).toStrictEqual(rule)
  expect(JSON.parse(JSON.stringify(rule))).toStrictEqual(rule)
})
