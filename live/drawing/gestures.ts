/** Mouse, touch and keyboard on the picture: one finger turns or moves it, two fingers zoom and move it, and so do arrows, + and -. */

import { type Camera, orbited, panned, zoomed } from './camera.ts'

export interface Gestures {
  /** Whether the scene is in 3-D, so that it can be turned. */
  readonly deep: () => boolean
  readonly camera: () => Camera
  readonly moved: (camera: Camera) => void
  readonly reset: () => void
}

export function listen(element: HTMLElement, { deep, camera, moved, reset }: Gestures): void {
  element.tabIndex = 0
  const fingers = new Map<number, { readonly x: number; readonly y: number }>()
  const height = () => element.clientHeight

  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId)
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY })
  })
  element.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId)
    if (!before) return
    const now = { x: event.clientX, y: event.clientY }
    const [x, y] = [now.x - before.x, now.y - before.y]
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1]
    fingers.set(event.pointerId, now)
    if (other) {
      const apart = (finger: typeof now) => Math.hypot(finger.x - other.x, finger.y - other.y) || 1
      moved(panned(zoomed(camera(), apart(before) / apart(now)), x / 2, y / 2, height()))
    } else if (deep() && !event.shiftKey && event.buttons !== 2) moved(orbited(camera(), x, y))
    else moved(panned(camera(), x, y, height()))
  })
  for (const end of ['pointerup', 'pointercancel'] as const)
    element.addEventListener(end, ({ pointerId }) => fingers.delete(pointerId))
  element.addEventListener('contextmenu', (event) => event.preventDefault())
  element.addEventListener('dblclick', reset)
  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      moved(zoomed(camera(), Math.exp(Math.min(Math.max(event.deltaY, -200), 200) * 0.0015)))
    },
    { passive: false },
  )

  const arrows: Readonly<Record<string, readonly [number, number]>> = {
    ...{ ArrowLeft: [-24, 0], ArrowRight: [24, 0], ArrowUp: [0, -24], ArrowDown: [0, 24] },
  }
  element.addEventListener('keydown', (event) => {
    const [x, y] = arrows[event.key] ?? []
    if (x !== undefined && y !== undefined)
      moved(deep() && !event.shiftKey ? orbited(camera(), x, y) : panned(camera(), -x, -y, height()))
    else if (event.key === '+' || event.key === '=') moved(zoomed(camera(), 0.9))
    else if (event.key === '-') moved(zoomed(camera(), 1 / 0.9))
    else if (event.key === '0') reset()
    else return
    event.preventDefault()
  })
}
