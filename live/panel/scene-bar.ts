/** The buttons that choose a scene and, on phones, the buttons that open a panel. */

import { scenes } from '../scenes/list.ts'
import type { Scene } from '../scenes/scene.ts'
import { element, made } from './page.ts'

export function sceneBar(choose: (scene: Scene) => void): (current: Scene) => void {
  const bar = element('scenes')
  const buttons = scenes.map((scene) => {
    const button = made('button', scene.title, { type: 'button' })
    button.addEventListener('click', () => choose(scene))
    bar.append(button)
    return { scene, button }
  })
  return (current) => {
    for (const { scene, button } of buttons) {
      button.setAttribute('aria-current', String(scene === current))
      // On a phone the bar is wider than the page.
      if (scene === current)
        bar.scrollLeft = button.offsetLeft - bar.offsetLeft - (bar.clientWidth - button.offsetWidth) / 2
    }
  }
}

/** @param opened called when a panel has opened, and has a size */
export function panelTabs(opened: () => void): void {
  const panels = { law: 'Law', figures: 'Figures', controls: 'Controls' }
  const buttons = Object.entries(panels).map(([id, title]) => {
    const button = made('button', title, { type: 'button', 'aria-pressed': 'false' })
    button.addEventListener('click', () => {
      const open = !element(id).classList.contains('open')
      for (const [other, { button }] of Object.entries(byId)) {
        element(other).classList.toggle('open', open && other === id)
        button.setAttribute('aria-pressed', String(open && other === id))
      }
      if (open) opened()
    })
    element('tabs').append(button)
    return [id, { button }] as const
  })
  const byId = Object.fromEntries(buttons)
}
