/** The elements of the page, by id, and text made safe for it. */

export function element<E extends HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no element "${id}"`)
  return found as E
}

/** A new element with text and attributes. */
export function made<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text = '',
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.textContent = text
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

let hiding: ReturnType<typeof setTimeout> | undefined

/** Shows a message above the picture for a while. */
export function notice(text: string, seconds = 8): void {
  const shown = element('notice')
  shown.textContent = text
  shown.hidden = false
  clearTimeout(hiding)
  hiding = setTimeout(clearNotice, seconds * 1000)
}

export function clearNotice(): void {
  clearTimeout(hiding)
  element('notice').hidden = true
}

/** `4.2 M`: three digits and the prefix. */
export function withPrefix(value: number): string {
  const prefixes = ['', ' k', ' M', ' G', ' T']
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.abs(value) || 1) / 3), 0), 4)
  return `${Number((value / 1000 ** power).toPrecision(3))}${prefixes[power]}`
}

/** Three digits, or all before the point: `0.417`, `2,370`. */
export const digits = (value: number): string =>
  value < 999.5 ? value.toPrecision(3) : Math.round(value).toLocaleString('en')

export const scientific = (value: number): string => (value === 0 ? '0' : value.toExponential(1).replaceAll('-', '−'))
