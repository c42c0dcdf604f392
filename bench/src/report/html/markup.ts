/** HTML from template literals: every inserted value is escaped unless it is markup. */

export class Markup {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text
  }
}

type Content = string | number | Markup | false | undefined | readonly Content[]

export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(strings.map((text, i) => text + textOf(contents[i])).join(''))
}

/** Text that is already markup, such as the output of the plotting library. */
export function raw(text: string): Markup {
  return new Markup(text)
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function textOf(content: Content): string {
  if (content === undefined || content === false) return ''
  if (content instanceof Markup) return content.text
  if (typeof content === 'string' || typeof content === 'number') {
    return String(content).replace(/[&<>"']/g, (character) => escapes[character] ?? character)
  }
  return content.map(textOf).join('')
}
