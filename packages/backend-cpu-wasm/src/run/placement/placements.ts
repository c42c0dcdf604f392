/**
 * The placements of one module for runs over different numbers of points. Small ones are kept, so that runs whose points change in
 * number find their arrays in place.
 *
 * @module
 */
import type { Shape } from '@manybody/core'
import type { LoadedProgram } from './loaded-program.ts'
import type { Placement } from './placement.ts'

/** A compiled module, and its placement for runs over so many points. */
export interface PlacedProgram {
  readonly program: LoadedProgram
  readonly shape: Shape
  readonly placement: Placement
}

/** The most placements that are kept, and the most points in all of them. The latest one is kept however large it is. */
const [most, mostPoints] = [64, 2 ** 16]

export class Placements {
  /** The one used longest ago is first. */
  readonly #kept: PlacedProgram[] = []

  /** The placement for runs over these points, if it is kept. */
  of({ targets, sources }: Shape): PlacedProgram | undefined {
    for (let n = this.#kept.length - 1; n >= 0; n--) {
      const placed = this.#kept[n] as PlacedProgram
      if (placed.shape.targets !== targets || placed.shape.sources !== sources) continue
      if (n < this.#kept.length - 1) {
        this.#kept.copyWithin(n, n + 1)
        this.#kept[this.#kept.length - 1] = placed
      }
      return placed
    }
    return undefined
  }

  /** Keeps a placement. Call it while none of them runs. */
  keep(placed: PlacedProgram): PlacedProgram {
    this.#kept.push(placed)
    let points = this.#kept.reduce((sum, { shape }) => sum + shape.targets + shape.sources, 0)
    while (this.#kept.length > 1 && (this.#kept.length > most || points > mostPoints)) {
      const { shape, placement } = this.#kept.shift() as PlacedProgram
      points -= shape.targets + shape.sources
      placement.dispose()
    }
    return placed
  }

  dispose(): void {
    for (const { placement } of this.#kept.splice(0)) placement.dispose()
  }
}
