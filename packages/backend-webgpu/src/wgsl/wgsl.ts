/**
 * A template tag for WGSL, so that a template looks like what it becomes: a hole may hold many lines, which get the indentation
 * of its line, or none, and then the line disappears. Blank lines disappear too.
 *
 * @module
 */

type Hole = string | number | readonly string[]

export function wgsl(texts: TemplateStringsArray, ...holes: readonly Hole[]): string {
  const filled = texts.reduce((before, text, n) => {
    const hole = holes[n - 1] ?? ''
    const lines = typeof hole === 'object' ? hole.filter(Boolean).join('\n') : String(hole)
    const margin = /^ */.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? ''
    return before + lines.replaceAll('\n', `\n${margin}`) + text
  })
  return filled.replace(/^\s*\n/gm, '')
}
