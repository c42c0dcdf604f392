// Arrays of points that come and go, beside arrays that are copied at each change.

import { expect, test } from 'vitest'
import { countOf, type PointArrays, vectorsOf } from '../../src/simulation/arrays.ts'
import { changedArrays, isMade } from '../../src/simulation/changed-arrays.ts'
import { stretchesBetween } from '../../src/simulation/stepping/population.ts'
import { random as randomOf } from '../support/random.ts'

const dimension = 2
const names = ['position', 'velocity', 'mass'] as const
const widthOf = (name: string) => (name === 'mass' ? 1 : dimension)

test('many changes give the arrays that copies give, and make none before it is read', () => {
  const random = randomOf(5)
  const numbers = (count: number) => Float64Array.from({ length: count }, random)
  let arrays = { position: numbers(80), velocity: new Float32Array(80), mass: numbers(40) } as PointArrays
  let copies: Record<string, number[]> = Object.fromEntries(
    names.map((name) => [name, [...(arrays[name] as Float64Array)]]),
  )
  for (let n = 0; n < 200; n++) {
    const count = countOf({ arrays, dimension })
    expect(count).toBe(copies.mass?.length)
    expect(vectorsOf(arrays)).toContain('velocity')
    if (n % 2) {
      const more = Math.floor(4 * random())
      const added = { position: numbers(2 * more), velocity: numbers(2 * more), mass: new Float32Array(more) }
      for (const name of names) copies[name]?.push(...added[name])
      arrays = changedArrays({ arrays, dimension }, { added })
    } else {
      const gone = Array.from({ length: count }, (_, point) => point).filter(() => random() < 0.05)
      copies = Object.fromEntries(
        names.map((name) => [
          name,
          copies[name]?.filter((_, k) => !gone.includes(Math.floor(k / widthOf(name)))) ?? [],
        ]),
      )
      arrays = changedArrays({ arrays, dimension }, { kept: stretchesBetween(gone, count) })
    }
    expect(isMade(arrays, 'velocity')).toBe(false)
    if (n % 50 === 0) expect([...(arrays.mass ?? [])]).toEqual(copies.mass)
  }
  for (const name of names) expect([...(arrays[name] ?? [])]).toEqual(copies[name])
  // Float64 numbers among float32 numbers keep their digits.
  expect(arrays.velocity).toBeInstanceOf(Float64Array)
  expect(arrays.velocity).toBe(arrays.velocity)
})

test('an array that is read frees those that were read before it', () => {
  const first = { position: new Float64Array(80), velocity: new Float64Array(80), mass: new Float64Array(40) }
  const some = changedArrays({ arrays: first, dimension }, { kept: [[0, 30]] })
  expect(some.mass).toHaveLength(30)
  const others = changedArrays({ arrays: some, dimension }, { kept: [[0, 20]] })
  expect(others.mass).toHaveLength(20)
  expect([isMade(some, 'mass'), isMade(others, 'mass'), isMade(others, 'position')]).toEqual([false, true, false])
  expect(some.mass).toHaveLength(30)
})

test('points that come have zeros in an array that is left out', () => {
  const ones = { position: new Float64Array(80), velocity: new Float64Array(80), mass: new Float64Array(40).fill(1) }
  const fewer = changedArrays({ arrays: ones, dimension }, { kept: stretchesBetween([0, 1, 2], 40) })
  const again = changedArrays(
    { arrays: fewer, dimension },
    { added: { position: new Float64Array(4), velocity: new Float64Array(4) } },
  )
  expect([...(again.mass ?? [])]).toEqual([...new Float64Array(37).fill(1), 0, 0])
})

test('stretches between points that go', () => {
  expect(stretchesBetween([], 3)).toEqual([[0, 3]])
  expect(stretchesBetween([0, 1, 4], 6)).toEqual([
    [2, 4],
    [5, 6],
  ])
  expect(stretchesBetween([0, 1, 2], 3)).toEqual([])
})
