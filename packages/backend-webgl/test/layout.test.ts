// The places of numbers in textures, and that a texel's centre, in float32, is in that texel.

import { expect, test } from 'vitest'
import { flatTexels, packPaged, pagedSize, pagesFor, rowLength, texelsOf, unpackPaged } from '../src/design/layout.ts'
import { readFunctions } from '../src/design/reads.ts'

test('the centre of a texel that GLSL computes is less than a hundredth of a texel off, in every texture', () => {
  for (const functions of Object.values(readFunctions))
    expect(functions).toContain('float centre(int n, float scale) { return (float(n) + 0.5) * scale; }')
  let most = 0
  for (let size = 1; size <= 16384; size++) {
    const scale = Math.fround(1 / size)
    for (const n of [0, size >> 2, size >> 1, size - 2, size - 1])
      most = Math.max(most, Math.abs(Math.fround((n + 0.5) * scale) * size - (n + 0.5)))
  }
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(0.01)
})

test.for([
  { first: 0, count: 600, offset: 0, components: 3 },
  { first: 255, count: 2, offset: 3, components: 6 },
  { first: 300, count: 300, offset: 4, components: 1 },
  { first: 599, count: 1, offset: 7, components: 2 },
])('a part of a paged sheet is read back unchanged: %o', (part) => {
  const [elements, components] = [600, 9]
  const value = (element: number, component: number) => 10 * element + component
  const sheet = packPaged(elements, components, value)
  const { column, row, width, height } = texelsOf(part)
  const whole = pagedSize(elements, pagesFor(components)).width
  const texels = Float32Array.from({ length: 4 * width * height }, (_, n) => {
    const texel = n >> 2
    return sheet[4 * (whole * (row + Math.floor(texel / width)) + column + (texel % width)) + (n & 3)] as number
  })
  expect([...unpackPaged(texels, part)]).toEqual(
    Array.from({ length: part.count * part.components }, (_, n) =>
      value(part.first + Math.floor(n / part.components), part.offset + (n % part.components)),
    ),
  )
})

test.for([
  [0, 1],
  [7, 3],
  [1020, 4],
  [1022, 5],
  [2048, 1024],
  [2050, 4000],
] as const)(
  'the texels of numbers from %i on, %i of them, hold these and at most three at either end in one row',
  (range) => {
    const [first, length] = range
    const { column, row, width, height } = flatTexels(first, length)
    const start = 4 * (rowLength * row + column)
    const end = start + 4 * width + 4 * rowLength * (height - 1)
    expect([start <= first, end >= first + length, column + width <= rowLength]).toEqual([true, true, true])
    if (height === 1) expect([first - start < 4, end - first - length < 4]).toEqual([true, true])
    else expect([column, width]).toEqual([0, rowLength])
  },
)
