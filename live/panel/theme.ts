/** Dark or light: the setting of the system, unless the visitor chose one. */

import type { Theme } from '../drawing/picture.ts'

const light = matchMedia('(prefers-color-scheme: light)')
const listeners: ((theme: Theme) => void)[] = []
let chosen: Theme | undefined

const theme = (): Theme => chosen ?? (light.matches ? 'light' : 'dark')

function tell(): void {
  document.documentElement.dataset.theme = theme()
  for (const listener of listeners) listener(theme())
}
light.addEventListener('change', tell)

/** @param name `system`, `dark` or `light` */
export function chosenTheme(name: string): void {
  chosen = name === 'dark' || name === 'light' ? name : undefined
  tell()
}

/** Calls the listener now, and at each change. */
export function onTheme(listener: (theme: Theme) => void): void {
  listeners.push(listener)
  tell()
}
