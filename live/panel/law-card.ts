/**
 * The card with the law. It compiles the law at every key, and shows the place and the message of an error. The visitor's text stays until
 * another law comes from a scene, a link or a snapshot.
 */

import { ExpressionError } from 'manybody'
import { lawOf, missingAttribute, type TypedLaw } from '../running/laws.ts'
import type { Scene } from '../scenes/scene.ts'
import { messageOf } from '../threads/messages.ts'
import { element, made } from './page.ts'

const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  potential: { energy: 'energy of a pair' },
  force: { x: 'force on i along x', y: 'force on i along y', z: 'force on i along z' },
  term: { x: 'velocity along x that j gives to i', y: 'velocity along y that j gives to i' },
}

export class LawCard {
  #scene: Scene | undefined
  #law: TypedLaw | undefined
  readonly #inputs = new Map<string, HTMLTextAreaElement>()

  /** @param typed called with each law that compiles */
  constructor(readonly typed: (law: TypedLaw) => void) {
    const others = element<HTMLSelectElement>('others')
    others.addEventListener('change', () => {
      const expressions = this.#scene?.others[others.value]
      if (!expressions) return
      for (const [name, text] of Object.entries(expressions)) {
        const input = this.#inputs.get(name)
        if (input) input.value = text
      }
      this.#changed()
    })
  }

  /** @param law the latest law that compiled, or another one from a scene, a link or a snapshot */
  show(scene: Scene, law: TypedLaw): void {
    const before = this.#law
    this.#law = law
    const other = scene !== this.#scene
    if (other) this.#rebuild(scene)
    for (const [name, input] of this.#inputs) {
      const text = law.expressions[name] ?? ''
      if (other || text !== before?.expressions[name]) input.value = text
    }
    this.#judge()
  }

  /** The law in the card. */
  get #typed(): TypedLaw | undefined {
    const expressions = Object.fromEntries([...this.#inputs].map(([name, { value }]) => [name, value]))
    return this.#law && { ...this.#law, expressions }
  }

  #rebuild(scene: Scene): void {
    this.#scene = scene
    element('title').textContent = scene.title
    element('about').textContent = scene.about
    this.#inputs.clear()
    const editor = element('editor')
    editor.replaceChildren()
    for (const name of Object.keys(scene.law.expressions)) {
      const label = made('label', labels[scene.law.kind]?.[name] ?? name)
      const input = made('textarea', '', {
        // Browsers that fit a field to its text ignore the rows.
        ...{ rows: '3', name, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off' },
        'aria-describedby': 'verdict message',
      })
      // A law is one line, which the card wraps.
      input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') event.preventDefault()
      })
      input.addEventListener('input', () => {
        if (input.value.includes('\n')) input.value = input.value.replaceAll(/\s*\n\s*/g, ' ')
        this.#changed()
      })
      label.append(input)
      editor.append(label)
      this.#inputs.set(name, input)
    }
    const others = element<HTMLSelectElement>('others')
    const titles = Object.keys(scene.others)
    others.hidden = titles.length === 0
    others.replaceChildren(
      made('option', 'Try another law …', { value: '' }),
      ...titles.map((title) => made('option', title)),
    )
  }

  #changed(): void {
    const law = this.#typed
    if (!law || !this.#judge()) return
    this.#law = law
    this.typed(law)
  }

  /** Whether the law in the card compiles; shows the error if it does not. */
  #judge(): boolean {
    const [scene, law] = [this.#scene, this.#typed]
    if (!scene || !law) return false
    try {
      const missing = missingAttribute(law, attributesOf(scene))
      const { symmetric } = lawOf(scene, law)
      if (missing) {
        const { attribute, column, expression } = missing
        const names = attributesOf(scene).join(', ') || 'none'
        this.#fail(`the bodies have no "${attribute}" (column ${column}); they have: ${names}`, expression, column)
        return false
      }
      const kept = symmetric && scene.law.kind !== 'term' ? '; action equals reaction' : ''
      this.#say(`compiles${scene.law.kind === 'potential' ? '; the force is its exact derivative' : ''}${kept}`)
      return true
    } catch (error) {
      if (error instanceof ExpressionError) {
        const place = Object.entries(law.expressions).find(([, text]) => text === error.text)?.[0]
        const first = error.message.split('\n')[0]?.replace(/^Cannot parse expression: /, '') ?? ''
        this.#fail(first.replace(/\(line 1, column (\d+)\)/, '(column $1)'), place, error.column)
      } else this.#fail(messageOf(error))
      return false
    }
  }

  #say(text: string): void {
    const verdict = element('verdict')
    verdict.textContent = text
    verdict.className = ''
    element('message').hidden = true
    for (const input of this.#inputs.values()) input.removeAttribute('aria-invalid')
  }

  /** @param column counted from 1 */
  #fail(text: string, expression?: string, column?: number): void {
    this.#say(text)
    element('verdict').className = 'bad'
    const input = expression === undefined ? undefined : this.#inputs.get(expression)
    if (!input || column === undefined) return
    input.setAttribute('aria-invalid', 'true')
    const message = element('message')
    const { value } = input
    const wrong = /^\w+|^./.exec(value.slice(column - 1))?.[0] ?? ' '
    const mark = made('mark', wrong)
    message.replaceChildren(value.slice(0, column - 1), mark, value.slice(column - 1 + wrong.length))
    message.hidden = false
    mark.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }
}

/** The attributes of each body that the law may read. */
function attributesOf(scene: Scene): readonly string[] {
  const { position, velocity, dimension, ...attributes } = scene.points(2, 1)
  const components = velocity ? ['x', 'y', 'z'].slice(0, dimension).map((axis) => `velocity_${axis}`) : []
  return [...Object.keys(attributes), ...components]
}
