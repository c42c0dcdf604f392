// Shaders in a file are runs of lines. Each text comes back, and numbers that name no text are refused.

import { expect, test } from 'vitest'
import { FiledShaders } from '../src/compile/designs/filed-shaders.ts'
import type { Shader } from '../src/design/shader.ts'
import { filedText, mostCharacters } from '../src/run/programs/filed-text.ts'

const texts = ['a\nb\nc\nd', 'b\nc', 'd\nd\nd', 'a\nnew\nb\nc\nd\nlast', 'a', '']

function filed() {
  const shaders = new FiledShaders()
  const numbers = texts.map((code, n) =>
    shaders.add({ code, label: `${n}`, fields: [], resources: [] } as object as Shader),
  )
  return { numbers, ...JSON.parse(JSON.stringify(shaders.data)) } as { numbers: number[] } & typeof shaders.data
}

test('texts come back from their runs of lines', () => {
  const { numbers, lines, shaders } = filed()
  expect(numbers.map((n) => filedText({ lines }, shaders[n]?.code ?? []))).toEqual(texts)
  expect(lines).toEqual(['a', 'b', 'c', 'd', 'new', 'last', ''])
})

test('lines that follow each other are one run, a repeated line is several, and any other is a run of one', () => {
  const { numbers, shaders } = filed()
  expect(numbers.map((n) => shaders[n]?.code)).toEqual([
    [0, 4],
    [1, 2],
    [3, 1, 3, 1, 3, 1],
    [0, 1, 4, 1, 1, 3, 5, 1],
    [0, 1],
    [6, 1],
  ])
})

const ten = Array.from({ length: 10 }, (_, n) => `line ${n}`)

test.each<[name: string, code: readonly unknown[], got: string]>([
  ['begins before the first line', [-3, 2], '2 from -3 on'],
  ['begins behind the last line', [50, 5], '5 from 50 on'],
  ['ends behind the last line', [8, 1e15], '1000000000000000 from 8 on'],
  ['goes back', [5, -1], '-1 from 5 on'],
  ['has no length', [0, 3, 5], 'undefined from 5 on'],
  ['begins between lines', [0.5, 2], '2 from 0.5 on'],
  ['is text', ['0', 3], '3 from 0 on'],
  ['is NaN', [Number.NaN, 3], '3 from NaN on'],
])('a run that %s is refused', (_, code, got) => {
  expect(() => filedText({ lines: ten }, code as readonly number[])).toThrow(
    `"workload.compiled" expected runs of lines among 10, got ${got}; compile the law again`,
  )
})

test('a long run is read, and a text that is too long is refused', () => {
  const lines = Array.from({ length: 2 ** 18 }, (_, n) => `${n % 10}`)
  expect(filedText({ lines }, [0, lines.length])).toHaveLength(2 ** 19 - 1)
  const repeated = Array.from({ length: 65 }, () => [0, lines.length]).flat()
  const refusal = `"workload.compiled" expected shaders of at most ${mostCharacters} characters, got more`
  // Line ends count, too.
  for (const given of [lines, lines.map(() => '')]) expect(() => filedText({ lines: given }, repeated)).toThrow(refusal)
})
