/**
 * Formats generated code for readers: one part per line, indented by braces.
 *
 * @module
 */

export const lines = (parts: readonly string[]): string => parts.join('\n')

/** Drops empty lines, and indents each line by the number of open braces. */
export function tidy(code: string): string {
  let depth = 0
  const tidied = code.split('\n').flatMap((raw) => {
    const line = raw.trim()
    if (line === '') return []
    const opened = line.split('{').length - line.split('}').length
    const indent = '  '.repeat(depth - (line.startsWith('}') ? 1 : 0))
    depth += opened
    return [indent + line]
  })
  return tidied.join('\n')
}

/** A block as the body of a GLSL macro: all line ends but the last are escaped. */
export const asMacro = (block: string): string => tidy(block).replaceAll('\n', ' \\\n')
