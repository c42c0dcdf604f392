// Templates of shaders and kernels read like the algorithm: short, and without conditionals.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { root } from '../../../tools/pnpm.mjs'

/** The backends, with the folders that contain their text. */
const backends: Readonly<Record<string, readonly string[]>> = {
  webgpu: [
    ...['wgsl', 'folds', 'parts', 'ranges', 'proxies', 'loops'].map((room) => `compile/${room}`),
    ...['design', 'run/programs'],
  ],
  'cpu-wasm': ['folds', 'ranges', 'lists', 'parts', 'loops', 'proxies', 'expressions', 'grid'].map(
    (room) => `compile/${room}`,
  ),
  webgl: ['design', 'compile/glsl', 'compile/folds', 'compile/parts', 'compile/loops'],
}

interface Template {
  readonly file: string
  readonly lines: number
  /** The holes that contain a conditional. */
  readonly decisions: readonly string[]
}

function templatesOf(folder: string, file: string): Template[] {
  const source = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Template[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node)) {
      const decisions = node.templateSpans.map(({ expression }) => expression).filter(decides)
      const lines = node.getText().trim().split('\n').length
      found.push({ file, lines, decisions: decisions.map((hole) => hole.getText()) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function decides(node: ts.Node): boolean {
  const { QuestionQuestionToken, AmpersandAmpersandToken, BarBarToken } = ts.SyntaxKind
  const operators = [QuestionQuestionToken, AmpersandAmpersandToken, BarBarToken]
  if (ts.isConditionalExpression(node)) return true
  if (ts.isBinaryExpression(node) && operators.some((kind) => kind === node.operatorToken.kind)) return true
  return ts.forEachChild(node, (child) => decides(child) || undefined) ?? false
}

describe.each(Object.entries(backends))('the templates of %s', (backend, folders) => {
  const src = join(root, `packages/backend-${backend}/src`)
  const templates = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => folders.includes(dirname(file)))
    .flatMap((file) => templatesOf(src, file))

  test('have no conditional in a hole', () => {
    expect(templates.length).toBeGreaterThan(50)
    expect(templates.flatMap(({ file, decisions }) => decisions.map((text) => `${file}: ${text}`))).toEqual([])
  })

  test('have at most 60 lines', () => {
    expect(Math.max(...templates.map(({ lines }) => lines))).toBeGreaterThan(20)
    expect(templates.filter(({ lines }) => lines > 60)).toEqual([])
  })
})

test('a file of the CPU has at most five calls of op, because algorithms are text', () => {
  const src = join(root, 'packages/backend-cpu-wasm/src/compile')
  const calls = readdirSync(src, { recursive: true, encoding: 'utf8' })
    // `wasm` makes the instructions that the language writes.
    .filter((file) => file.endsWith('.ts') && !['language', 'wasm'].includes(dirname(file)))
    .map((file) => [file, readFileSync(join(src, file), 'utf8')] as const)
    .map(([file, text]) => [file, text.match(/\bop\(/g)?.length ?? 0] as const)
  expect(calls.length).toBeGreaterThan(50)
  expect(calls.filter(([, count]) => count > 5)).toEqual([])
})
