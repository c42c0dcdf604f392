// Templates of WGSL read like the algorithm: short, and without conditionals.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../../scripts/pnpm.mjs'

const folder = join(root, 'packages/backend-webgpu/src')

interface Template {
  readonly file: string
  readonly lines: number
  /** The holes that contain a conditional. */
  readonly decisions: readonly string[]
}

function templatesOf(file: string): Template[] {
  const source = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Template[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'wgsl') {
      const { template } = node
      const holes = ts.isTemplateExpression(template) ? template.templateSpans.map(({ expression }) => expression) : []
      const decisions = holes.filter(decides).map((hole) => hole.getText())
      found.push({ file, lines: template.getText().trim().split('\n').length, decisions })
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

const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap(templatesOf)

test('no hole of a template contains a conditional', () => {
  expect(templates.length).toBeGreaterThan(20)
  expect(templates.flatMap(({ file, decisions }) => decisions.map((text) => `${file}: ${text}`))).toEqual([])
})

test('no template is longer than 60 lines', () => {
  expect(templates.filter(({ lines }) => lines > 60)).toEqual([])
})
