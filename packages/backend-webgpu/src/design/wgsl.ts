/**
 * A template tag for WGSL, so that a template looks like its result. A hole may contain several lines, which get the
 * indentation of the hole. Blank lines disappear, as do lines with nothing but an empty hole.
 *
 * @module
 */

/** An index plus a number that is often 0. */
export const plus = (index: string, n: number): string => (n === 0 ? index : `${index} + ${n}u`)

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
