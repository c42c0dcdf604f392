// Compiles the kernels in the source of a file, which are tagged templates of `compile/language/kernel.ts`, when the file is bundled. A page
// then loads no compiler for them.

import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'
import ts from 'typescript'
import { compileKernel, type Kind } from './src/compile/language/compile-kernel.ts'

const kinds: readonly string[] = ['define', 'write', 'value'] satisfies Kind[]

/**
 * The source with its kernels compiled, or undefined if it has none. Lines keep their numbers.
 *
 * @param names whether locals have their names, which only printed modules show
 * @throws SyntaxError with the place in the file
 */
export function compiledKernels(path: string, source: string, names = false): string | undefined {
  const language = /from '(.*\/language)\/kernel\.ts'/.exec(source)?.[1]
  if (language === undefined) return undefined
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const edit = (node: ts.Node): string => {
    if (ts.isTaggedTemplateExpression(node) && ts.isCallExpression(node.tag)) {
      const { expression, arguments: given } = node.tag
      const kind = expression.getText()
      if (kinds.includes(kind)) return kernel(node, kind as Kind, given)
    }
    return pieces(node)
  }
  /** The text of a node with its kernels compiled. */
  const pieces = (node: ts.Node): string => {
    let text = ''
    let end = node.getFullStart()
    node.forEachChild((child) => {
      text += source.slice(end, child.getFullStart()) + edit(child)
      end = child.end
    })
    return text + source.slice(end, node.end)
  }
  const kernel = (node: ts.TaggedTemplateExpression, kind: Kind, given: ts.NodeArray<ts.Expression>): string => {
    const { template } = node
    const spans = ts.isTemplateExpression(template) ? template.templateSpans : []
    const literals = ts.isTemplateExpression(template)
      ? [template.head, ...spans.map(({ literal }) => literal)]
      : [template]
    const parts = literals.map((literal) => literal.getText().replace(/^[`}]|(?:`|\$\{)$/g, ''))
    const holes = spans.map(({ expression }) => ({ text: edit(expression), plain: isPlain(expression) }))
    const own = holes.flatMap(({ text, plain }, n) => (plain ? [] : [{ text, name: `$${n}` }]))
    const [target] = given
    // Only a definition makes functions, which are targets of their own.
    const direct = kind !== 'define' && target && ts.isIdentifier(target) ? target.text : undefined
    const body = compiled(path, kind, parts, names, file, node)
      .replace(/^\(.*?\)=>/, '')
      // A hole without calls stands where it is used.
      .replace(/(?<![\w$])\$(\d+|c)(?![\w$])/g, (name, n) =>
        n === 'c' ? (direct ?? name) : holes[n]?.plain ? `(${holes[n].text})` : name,
      )
    const values = [...(direct ? [] : [{ name: '$c', text: given.map(edit).join() }]), ...own]
    const text = source.slice(node.getFullStart(), node.getStart()) + placed(node, kind, body, values)
    const missing = node.getFullText().split('\n').length - text.split('\n').length
    return text + '\n'.repeat(missing)
  }
  const changed = edit(file)
  if (changed === source) return undefined
  return `import * as $w from '${language}/kernel-functions.ts';${changed}`
}

/** JavaScript for a kernel at its place: a block, an expression, or a function that is called at once. */
function placed(
  node: ts.Node,
  kind: Kind,
  body: string,
  values: readonly { readonly name: string; readonly text: string }[],
): string {
  const statement = ts.isExpressionStatement(node.parent)
  if (statement && kind === 'write')
    return body.replace('{', `{${values.map(({ name, text }) => `const ${name}=${text};`).join('')}`)
  const value = /^\{return ([^;]*);\}$/.exec(body)?.[1]
  if (value && values.length === 0) return `(${value})`
  // A statement that starts with a parenthesis would go on with the line before.
  return `${statement ? 'void ' : ''}((${values.map(({ name }) => name)})=>${body})(${values.map(({ text }) => text)})`
}

/** Whether an expression has the same value wherever it stands: names, properties, literals and arithmetic. */
function isPlain(node: ts.Expression): boolean {
  if (ts.isIdentifier(node) || ts.isLiteralExpression(node)) return true
  if (ts.isPropertyAccessExpression(node) || ts.isParenthesizedExpression(node)) return isPlain(node.expression)
  return ts.isBinaryExpression(node) && isPlain(node.left) && isPlain(node.right)
}

function compiled(
  path: string,
  kind: Kind,
  parts: readonly string[],
  names: boolean,
  file: ts.SourceFile,
  node: ts.Node,
): string {
  try {
    return compileKernel(kind, parts, names)
  } catch (error) {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    throw new SyntaxError(`${path}, in the template of line ${line + 1}: ${(error as Error).message}`, { cause: error })
  }
}

/** For tsdown. */
export const kernels = (
  names: boolean,
): {
  name: string
  transform: (source: string, path: string) => { code: string; map: null } | undefined
} => ({
  name: 'kernels',
  transform(source, path) {
    const code = compiledKernels(path, source, names)
    return code === undefined ? undefined : { code, map: null }
  },
})

/** For esbuild. */
export const esbuildKernels: Plugin = {
  name: 'kernels',
  setup(build) {
    build.onLoad({ filter: /backend-cpu-wasm[\\/]src[\\/]compile[\\/].*\.ts$/ }, async ({ path }) => {
      const contents = compiledKernels(path, await readFile(path, 'utf8'))
      return contents === undefined ? undefined : { contents, loader: 'ts' }
    })
  },
}
