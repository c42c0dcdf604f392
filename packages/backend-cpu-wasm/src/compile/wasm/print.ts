/**
 * Prints function trees in the folded form of the WebAssembly text format: `(f32x4.add (local.get $x) (local.get $y))`.
 *
 * @module
 */

import { compact } from './compact.ts'
import { mostPages } from './encode.ts'
import type { FunctionBuilder } from './function-builder.ts'
import type { ModuleBuilder } from './module-builder.ts'
import type { Node } from './nodes.ts'

/** Longer lines are broken after the operator. */
const width = 110

function literal(value: number | bigint): string {
  if (Object.is(value, -0)) return '-0'
  return String(value).replace('Infinity', 'inf').replace('NaN', 'nan')
}

function print(node: Node, indent: string): string {
  const inner = `${indent}  `
  const list = (head: string, args: readonly Node[]): string => {
    const parts = args.map((arg) => print(arg, inner))
    const flat = `(${[head, ...parts].join(' ')})`
    if (flat.length + indent.length <= width && !flat.includes('\n')) return flat
    return `(${head}${parts.map((part) => `\n${inner}${part}`).join('')})`
  }
  const lines = (head: string, args: readonly Node[], i: string) =>
    `(${head}${args.map((arg) => `\n${i}  ${print(arg, `${i}  `)}`).join('')})`
  switch (node.kind) {
    case 'op': {
      const offset = node.offset ? [`offset=${node.offset}`] : []
      return list([node.op, ...offset, ...(node.lanes ?? [])].join(' '), node.args)
    }
    case 'constant':
      return `(${node.type}.const ${literal(node.value)})`
    case 'splat':
      return `(v128.const ${node.lanes} ${Array(Number(node.lanes.at(-1)))
        .fill(literal(node.value))
        .join(' ')})`
    case 'get':
      return `(local.get $${node.local.name})`
    case 'set':
    case 'tee':
      return list(`local.${node.kind} $${node.local.name}`, [node.value])
    case 'call':
      return list(`call $${node.callee.name}`, node.args)
    case 'if': {
      const branches = [
        lines('then', node.body, inner),
        ...(node.otherwise.length ? [lines('else', node.otherwise, inner)] : []),
      ]
      return `(if ${print(node.condition, inner)}${branches.map((b) => `\n${inner}${b}`).join('')})`
    }
    case 'loop': {
      const again = `(br_if 0 ${print(node.again, inner)})`
      return `(loop${[...node.body.map((n) => print(n, inner)), again].map((line) => `\n${inner}${line}`).join('')})`
    }
    case 'return':
      return list('return', [node.value])
  }
}

function printFunction(code: FunctionBuilder, comment: string | undefined): string {
  const parameters = code.locals.slice(0, code.parameters.length).map((l) => ` (param $${l.name} ${l.type})`)
  const result = code.result ? ` (result ${code.result})` : ''
  const { body: statements, locals: own } = compact(code)
  const locals = own.map((l) => `(local $${l.name} ${l.type})`)
  const body = [...locals, ...statements.map((node) => print(node, '    ')), ...(code.result ? ['(unreachable)'] : [])]
  const head = `(func $${code.name} (export "${code.name}")${parameters.join('')}${result}`
  const above = comment ? `  ;; ${comment}\n` : ''
  return `${above}  ${head}${body.map((line) => `\n    ${line}`).join('')})`
}

/** The module as text. @param comments sentences above functions, by their names */
export function printModule(
  { functions, options }: ModuleBuilder,
  comments: Readonly<Record<string, string>> = {},
): string {
  const memory = `(memory 0${options.shared ? ` ${mostPages} shared` : ''})`
  return `(module\n  (import "env" "memory" ${memory})\n${functions.map((code) => printFunction(code, comments[code.name])).join('\n')})\n`
}
