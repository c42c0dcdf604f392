/**
 * Writes a generated shader, with the functions that it calls and WGSL lacks. This file compiles nothing.
 *
 * @module
 */
import { completed, type ShaderParts } from '../../design/completed.ts'
import type { Shader } from '../../design/shader.ts'
import { preludeFor } from './operators.ts'

/** A shader with the text `body` after all declarations. @param functions that the body calls */
export function shader(parts: ShaderParts, body: string, functions = ''): Shader {
  const whole = `${functions}${body}`
  return completed(parts, whole, preludeFor(whole))
}

/** Indents all lines but the first by `depth` steps, for a hole in a template. */
export function indent(lines: string | readonly string[], depth: number): string {
  const text = typeof lines === 'string' ? lines : lines.filter(Boolean).join('\n')
  return text.replaceAll('\n', `\n${'  '.repeat(depth)}`)
}
