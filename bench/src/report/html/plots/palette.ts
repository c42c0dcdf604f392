/**
 * The look of each contender in plots. A name has one colour in every plot and theme. Dashes and a symbol distinguish contenders with the
 * same name, also for readers who see few colours.
 */

import { groups, type Series } from '../../series.ts'

export interface Look {
  /** A colour of the style sheet, which follows the theme. */
  readonly color: string
  readonly dash: string
  readonly symbol: 'circle' | 'square' | 'triangle' | 'diamond' | 'star'
}

const ours: Readonly<Record<string, string>> = {
  webgpu: 'var(--webgpu)',
  webgl: 'var(--webgl)',
  'cpu-wasm': 'var(--cpu-wasm)',
  reference: 'var(--reference)',
}
const others = [
  'var(--other-1)',
  'var(--other-2)',
  'var(--other-3)',
  'var(--other-4)',
  'var(--other-5)',
  'var(--other-6)',
]
const dashes = ['none', '7 3', '2 3', '9 3 2 3', '4 2']
const symbols = ['circle', 'square', 'triangle', 'diamond', 'star'] as const

/** A look for lines without contenders of a name: a colour, and a dash with its symbol. */
export const lookAt = (color: number, dash: number): Look => ({
  color: others[color % others.length] ?? 'currentColor',
  dash: dashes[dash % dashes.length] ?? 'none',
  symbol: symbols[dash % symbols.length] ?? 'circle',
})

export function looksOf(series: readonly Series[]): ReadonlyMap<string, Look> {
  const looks = new Map<string, Look>()
  let met = 0
  for (const [name, same] of groups(series, ({ rows }) => rows[0]?.contender.name ?? '')) {
    const color = ours[name] ?? others[met % others.length] ?? 'currentColor'
    const turn = name in ours ? 0 : Math.floor(met++ / others.length)
    for (const [i, { label }] of same.entries()) {
      const nth = (turn + i) % dashes.length
      looks.set(label, { color, dash: dashes[nth] ?? 'none', symbol: symbols[nth] ?? 'circle' })
    }
  }
  return looks
}
