/**
 * The settings of a tree, from cheap to exact.
 *
 * @module
 */
import type { TreeRuns, TreeSetting } from '../../contract/backend.ts'

/** A setting, and its error for gravity in a cube of 20,000 points. This error chooses the first setting to try. */
export interface Rung extends TreeSetting {
  readonly typical: number
}

const simplex = (opening: number, typical: number): Rung => ({ proxies: 'simplex', opening, typical })
const grid = (proxies: number, opening: number, typical: number): Rung => ({ proxies, opening, typical })

/** Each rung is the cheapest setting with its error in `npm run bench -- tree`. A simplex takes few pairs even if it is only used far away. */
const usual: readonly Rung[] = [
  simplex(0.9, 2e-2),
  simplex(0.8, 1.9e-2),
  simplex(0.7, 1.5e-2),
  simplex(0.6, 1.1e-2),
  simplex(0.55, 9e-3),
  simplex(0.5, 7.5e-3),
  simplex(0.45, 5.2e-3),
  simplex(0.4, 3.6e-3),
  simplex(0.375, 2.8e-3),
  simplex(0.35, 2.1e-3),
  simplex(0.325, 1.6e-3),
  simplex(0.3, 1.2e-3),
  simplex(0.275, 9e-4),
  simplex(0.25, 7e-4),
  simplex(0.225, 4.9e-4),
  simplex(0.2, 3.4e-4),
  simplex(0.175, 2.3e-4),
  simplex(0.15, 1.5e-4),
  grid(3, 0.75, 1e-4),
  grid(3, 0.7, 6.3e-5),
  grid(4, 0.8, 4.3e-5),
  grid(4, 0.75, 2.6e-5),
  grid(4, 0.7, 1.4e-5),
  grid(4, 0.66, 8.6e-6),
  grid(4, 0.62, 5.5e-6),
  grid(5, 0.7, 3.3e-6),
  grid(6, 0.75, 1.7e-6),
  grid(6, 0.7, 9.1e-7),
  grid(6, 0.6, 2.2e-7),
  grid(6, 0.5, 3e-8),
  grid(6, 0.4, 3e-9),
  grid(8, 0.4, 2e-11),
]

/** Simplices for clustered points. Nodes with a simplex open by the field there, and those with a grid do not, so grids are less exact than usual. */
const fine: readonly Rung[] = [
  simplex(0.13, 1.1e-4),
  simplex(0.11, 7.5e-5),
  simplex(0.095, 5e-5),
  simplex(0.08, 3.3e-5),
  simplex(0.07, 2.3e-5),
]

export const ladder: readonly Rung[] = [...usual, ...fine]

/** The numbers of the usual rungs. */
export const usualRungs: readonly number[] = usual.map((_, n) => n)

/** Those of all simplices, from cheap to exact. */
export const simplexRungs: readonly number[] = [...ladder.keys()].filter((n) => ladder[n]?.proxies === 'simplex')

/** How many usual rungs a device can run, from the first one on. */
export function rungsOf({ fits }: Pick<TreeRuns, 'fits'>): number {
  const refused = fits ? usual.findIndex((setting) => !fits(setting)) : -1
  return refused < 0 ? usual.length : refused
}

/** A setting as reports name it. */
export function nameOf({ proxies, opening }: TreeSetting): string {
  return `${proxies === 'simplex' ? 'simplex' : `degree ${proxies}`}, opening ${opening}`
}
