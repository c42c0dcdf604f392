// Arrays from another frame or realm. Their class has only its name in common with ours.

import vm from 'node:vm'
import { createEngine, nearest, reference } from '@manybody/core'
import { expect, test } from 'vitest'

const types = { Float32Array, Float64Array }

test.each(Object.keys(types) as (keyof typeof types)[])('a %s of another frame is taken', async (type) => {
  await using engine = await createEngine({ backends: [reference()] })
  const position = vm.runInNewContext(`${type}.of(0.1, 0, 1, 0, 0.1, 3)`) as Float32Array
  expect(position).not.toBeInstanceOf(types[type])
  const { index } = await engine.run(nearest(1), { position, dimension: 2 })
  expect([...index]).toEqual([1, 0, 0])
})
