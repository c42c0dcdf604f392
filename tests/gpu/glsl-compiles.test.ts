// The shaders in packages/backend-webgl/test/shaders compile as printed: in WebGL2, or in WebGL1 if they name no version.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../tools/pnpm.mjs'
import { angleContexts } from '../support/angle.ts'

const folder = join(root, 'packages/backend-webgl/test/shaders')
const contexts = { 1: (await angleContexts(1))(), 2: (await angleContexts(2))() }

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.glsl'))
const textOf = (file = '') => readFileSync(join(folder, file), 'utf8')

test.each(files)('%s compiles', (file) => {
  expect(logOf(textOf(file))).toBe('')
})

test('a driver reports the fault of a wrong shader', () => {
  expect(logOf(textOf(files[0]).replace('void main', 'void maim'))).toContain('main')
})

/** The driver's messages about a fragment shader; empty if it compiles. */
function logOf(text: string): string {
  const gl = contexts[text.startsWith('#version 300 es') ? 2 : 1]
  const shader = gl.createShader(gl.FRAGMENT_SHADER) as WebGLShader
  gl.shaderSource(shader, text)
  gl.compileShader(shader)
  return gl.getShaderParameter(shader, gl.COMPILE_STATUS) ? '' : (gl.getShaderInfoLog(shader) ?? 'no message')
}
